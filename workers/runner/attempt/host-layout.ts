/**
 * Where things of an attempt are on this host.
 *
 *     <dir>/projects/<organization>/<project>/work        stable: a conversation is found by it
 *     <dir>/projects/<organization>/<project>/config      the CLI's own state, never the user's
 *     <dir>/projects/<organization>/<project>/open/…      the same of unconfined agents
 *     <dir>/projects/<organization>/<project>/isolation   which of the two was used last
 *     <dir>/attempts/<attempt>/                           private to one attempt, removed at its end
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Dispatcher } from 'undici';
import type { HostLayout } from '@/lib/agents/agent';
import type { StartIsolation } from '@/lib/protocol/confinement';
import { agentsFolder, projectFolder, workFolder } from '@/lib/protocol/project-folder';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { mcpServerCommand } from '../agent-socket/mcp-server-command';
import { SOCKET_VARIABLE } from '../agent-socket/messages';
import type { AgentSocket } from '../agent-socket/server';
import type { CheckCommands } from '../checks/check-commands';
import { discardFolder } from '../process/discard';
import type { SandboxHost } from '../sandbox/sandbox-host';
import type { AgentHost } from './agents';

/** What every attempt of a runner finds on its host. */
export interface AttemptHost {
  /** The runner's own folder. */
  dir: string;
  /** The repository's root folder. */
  root: string;
  /** Folders that no sandbox shows, apart from these two. */
  hidden: readonly string[];
  /** Where hooks and tools of agents reach this runner. */
  socket: AgentSocket;
  /** Whether this host can confine agents. */
  sandboxHost: Pick<SandboxHost, 'confinement' | 'program' | 'maxProcesses'>;
  /** How model providers are reached. */
  dispatcher: Dispatcher;
  /** Variables that an operator passes through by name. */
  passEnv: readonly string[];
  /** How commands of checks are run; null: none are. */
  checkCommands: Pick<CheckCommands, 'of'> | null;
  /** Of this host, for what binds an approval to a command. */
  digestKey: Buffer;
}

export interface AttemptPaths {
  workDir: string;
  configDir: string;
  /** Says how the project's agents ran last. */
  isolationFile: string;
  attemptDir: string;
  stateDir: string;
  tmpDir: string;
  /** What the runner writes for the start. */
  filesDir: string;
  /** A config folder of the attempt's own, if it is confined. */
  privateConfigDir: string;
  handoffFile: string;
}

/** Where the agent finds things: on the host as they are, or as its sandbox shows them. */
export interface AgentPlaces {
  workDir: string;
  configDir: string;
  stateDir: string;
  tmpDir: string;
  filesDir: string;
  /** Where hooks and tools reach the runner. */
  socket: string;
}

const SERVICES_FILE = 'services.json';

/** Of characters that stay themselves in a path and in the CLI's name for it. */
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function projectsDir(dir: string): string {
  return path.join(dir, 'projects');
}

/** @throws Error when an id cannot be the name of a folder. */
export function attemptPaths(
  dir: string,
  { attemptId, organizationId, projectId, start: { isolation } }: AttemptSpec,
): AttemptPaths {
  const named = { organizationId: name(organizationId), projectId: name(projectId) };
  const attemptDir = path.join(dir, 'attempts', name(attemptId));
  const stateDir = path.join(attemptDir, 'state');
  return {
    workDir: workFolder(projectsDir(dir), named, isolation),
    configDir: path.join(agentsFolder(projectsDir(dir), named, isolation), 'config'),
    isolationFile: path.join(projectFolder(projectsDir(dir), named), 'isolation'),
    attemptDir,
    stateDir,
    tmpDir: path.join(attemptDir, 'tmp'),
    filesDir: path.join(attemptDir, 'files'),
    privateConfigDir: path.join(attemptDir, 'config'),
    handoffFile: path.join(stateDir, 'handoff.json'),
  };
}

/**
 * Makes an attempt's folders, and those of its project if they are missing or from before its isolation
 * was changed.
 *
 * @param isAlone whether no other attempt uses the project's folders now
 * @throws the system's error when the disk is full
 */
export function makeAttemptFolders(
  runnerDir: string,
  paths: AttemptPaths,
  spec: AttemptSpec,
  isAlone: boolean,
): void {
  if (isAlone) renewAfterChange(runnerDir, paths, spec.start.isolation);
  // What a crash has left must not reach this attempt: a handoff file in it would be a stale one.
  discardFolder(runnerDir, paths.attemptDir);
  const { workDir, configDir, stateDir, tmpDir, filesDir } = paths;
  for (const dir of [workDir, configDir, stateDir, tmpDir, filesDir]) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }
  const servicesFile = path.join(filesDir, SERVICES_FILE);
  writeFileSync(servicesFile, JSON.stringify(spec.services), { mode: 0o600 });
}

/** Removes the folders that this kind of agent had before the project's isolation was changed. */
function renewAfterChange(
  runnerDir: string,
  { workDir, configDir, isolationFile }: AttemptPaths,
  isolation: StartIsolation,
): void {
  const last = readIfThere(isolationFile);
  if (last === isolation) return;
  // Without a note they are of an earlier version of the runner, and may hold what people put there.
  if (last !== null) {
    discardFolder(runnerDir, workDir);
    discardFolder(runnerDir, configDir);
  }
  mkdirSync(path.dirname(isolationFile), { recursive: true, mode: 0o700 });
  writeFileSync(isolationFile, isolation, { mode: 0o600 });
}

function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

export function hostLayout(options: {
  places: AgentPlaces;
  host: AgentHost;
  marker: string;
  /** The repository's root folder. */
  root: string;
  keepsNotes: boolean;
}): HostLayout {
  const { places, host, marker, root, keepsNotes } = options;
  const file = (name: string) => path.join(places.filesDir, name);
  // The marker, which names the attempt there, is inherited from the CLI.
  const environment = { [SOCKET_VARIABLE]: places.socket };
  return {
    binary: host.binary,
    cliVersion: host.version,
    workDir: places.workDir,
    configDir: places.configDir,
    stateDir: places.stateDir,
    tmpDir: places.tmpDir,
    systemPromptFile: file('system-prompt.md'),
    mcpConfigFile: file('mcp.json'),
    settingsFile: file('settings.json'),
    hookCommand: keepsNotes ? hookCommand({ root, environment }) : null,
    marker,
    passThrough: host.passThrough,
    ...(host.apiKey === null ? {} : { apiKey: host.apiKey }),
    mcpServer: mcpServerCommand({
      root,
      servicesFile: file(SERVICES_FILE),
      socketPath: places.socket,
      keepsNotes,
    }),
  };
}

function name(id: string): string {
  if (SAFE_NAME.test(id)) return id;
  throw new Error(`The id "${id.slice(0, 80)}" cannot be the name of a folder.`);
}

/** The shell line for a hook of the CLI; `environment`: in addition to what the CLI passes on. */
export function hookCommand(options: {
  /** The repository's root folder. */
  root: string;
  environment: Readonly<Record<string, string>>;
}): string {
  const { root, environment } = options;
  const set = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
  const command = [process.execPath, path.join(root, 'dist', 'hook.mjs')];
  return ['env', ...set, ...command.map(quoted)].join(' ');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

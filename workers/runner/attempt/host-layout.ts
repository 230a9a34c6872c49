/**
 * Where things of an attempt are on this host.
 *
 *     <dir>/projects/<organization>/<project>/work     stable: a conversation is found by it
 *     <dir>/projects/<organization>/<project>/config   the CLI's own state, never the user's
 *     <dir>/attempts/<attempt>/                        private to one attempt, removed at its end
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HostLayout } from '@/lib/agents/agent';
import { projectFolder, workFolder } from '@/lib/protocol/project-folder';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { SOCKET_VARIABLE } from '../agent-socket/messages';
import { hookCommand } from '../hooks/hook-command';
import { mcpServerCommand } from '../mcp/server-command';
import type { AgentHost } from './agent-host';

export interface AttemptPaths {
  workDir: string;
  configDir: string;
  attemptDir: string;
  stateDir: string;
  tmpDir: string;
  handoffFile: string;
  checkServicesFile: string;
}

/** Of characters that stay themselves in a path and in the CLI's name for it. */
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

export function projectsDir(dir: string): string {
  return path.join(dir, 'projects');
}

/** @throws Error when an id cannot be the name of a folder. */
export function attemptPaths(
  dir: string,
  ids: Pick<AttemptSpec, 'attemptId' | 'organizationId' | 'projectId'>,
): AttemptPaths {
  const { organizationId, projectId } = ids;
  const named = { organizationId: name(organizationId), projectId: name(projectId) };
  const attemptDir = path.join(dir, 'attempts', name(ids.attemptId));
  const stateDir = path.join(attemptDir, 'state');
  return {
    workDir: workFolder(projectsDir(dir), named),
    configDir: path.join(projectFolder(projectsDir(dir), named), 'config'),
    attemptDir,
    stateDir,
    tmpDir: path.join(attemptDir, 'tmp'),
    handoffFile: path.join(stateDir, 'handoff.json'),
    checkServicesFile: path.join(attemptDir, 'services.json'),
  };
}

/** @throws the system's error when the disk is full. */
export function makeAttemptFolders(paths: AttemptPaths, spec: AttemptSpec): void {
  // What a crash has left must not reach this attempt: a handoff file in it would be a stale one.
  rmSync(paths.attemptDir, { recursive: true, force: true });
  for (const dir of [paths.workDir, paths.configDir, paths.stateDir, paths.tmpDir]) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }
  writeFileSync(paths.checkServicesFile, JSON.stringify(spec.services), { mode: 0o600 });
}

export function hostLayout(options: {
  paths: AttemptPaths;
  host: AgentHost;
  marker: string;
  /** The repository's root folder. */
  root: string;
  /** Where hooks and tools reach the runner. */
  socketPath: string;
  keepsNotes: boolean;
}): HostLayout {
  const { paths, host, marker, root, socketPath, keepsNotes } = options;
  // The marker, which names the attempt there, is inherited from the CLI.
  const environment = { [SOCKET_VARIABLE]: socketPath };
  return {
    binary: host.binary,
    cliVersion: host.version,
    workDir: paths.workDir,
    configDir: paths.configDir,
    stateDir: paths.stateDir,
    tmpDir: paths.tmpDir,
    systemPromptFile: path.join(paths.attemptDir, 'system-prompt.md'),
    mcpConfigFile: path.join(paths.attemptDir, 'mcp.json'),
    settingsFile: path.join(paths.attemptDir, 'settings.json'),
    hookCommand: keepsNotes ? hookCommand({ root, environment }) : null,
    marker,
    passThrough: host.passThrough,
    ...(host.apiKey === null ? {} : { apiKey: host.apiKey }),
    mcpServer: mcpServerCommand({
      root,
      servicesFile: paths.checkServicesFile,
      socketPath,
      keepsNotes,
    }),
  };
}

function name(id: string): string {
  if (SAFE_NAME.test(id)) return id;
  throw new Error(`The id "${id.slice(0, 80)}" cannot be the name of a folder.`);
}

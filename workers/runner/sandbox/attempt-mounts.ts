/** What an attempt's sandbox shows beside the system's programs. */
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HostLayout, KeptConversations } from '@/lib/agents/agent';
import type { StartSpec } from '@/lib/protocol/spec';
import type { AttemptPaths } from '../attempt/host-layout';
import { findKeptFiles, foldersOf, placeElsewhere } from '../conversations/kept-files';
import type { Mount } from './bwrap';
import { covered, hostMounts, isBelow, readOnly } from './host-view';
import { INSIDE, SANDBOX_USER } from './inside';

interface AttemptView {
  start: Pick<StartSpec, 'continuation' | 'allowedRules'>;
  paths: AttemptPaths;
  binary: HostLayout['binary'];
  conversations: KeptConversations;
  /** The repository's root folder. */
  root: string;
  /** Folders that are never shown, whatever a rule names. */
  hidden: readonly string[];
  /** Socket of the runner, for hooks and tools. */
  socketPath: string;
}

/** Writes the files that a sandbox needs, and returns its mounts in order. */
export function attemptMounts(view: AttemptView): Mount[] {
  const { start, paths, binary, root, hidden, socketPath } = view;
  const { workDir, filesDir, stateDir, tmpDir, privateConfigDir } = paths;
  mkdirSync(privateConfigDir, { recursive: true, mode: 0o700 });
  const readable = readableFolders(start.allowedRules).map((folder) => readOnly(folder));
  const program = programMounts(binary);
  return [
    ...hostMounts(hidden),
    ...readable,
    ...program,
    ...covered(hidden, [...readable, ...program]),
    ...besideAgent(root),
    ...accounts(filesDir),
    readOnly(filesDir, INSIDE.filesDir),
    {
      kind: canWrite(start.allowedRules) ? 'writable' : 'read_only',
      from: workDir,
      at: INSIDE.workDir,
    },
    { kind: 'writable', from: stateDir, at: INSIDE.stateDir },
    { kind: 'writable', from: tmpDir, at: INSIDE.tmpDir },
    { kind: 'writable', from: privateConfigDir, at: INSIDE.configDir },
    readOnly(socketPath, INSIDE.socket),
    ...continuedConversation(view),
  ];
}

/** Whether the tier has a rule to write in its work folder. */
function canWrite(allowedRules: readonly string[]): boolean {
  return allowedRules.some((rule) => /^(?:Edit|Write)(?:$|\((?!\/\/))/.test(rule));
}

/** Never shown, even if a rule names them: they hold sockets, devices and other processes. */
const NEVER_SHOWN = ['/proc', '/sys', '/dev', '/run', '/var/run', '/tmp'];

/**
 * Returns the folders and files of rules such as `Read(//var/log/**)`. A rule for the whole disk, or
 * for a folder of sockets or devices, adds nothing.
 */
export function readableFolders(allowedRules: readonly string[]): string[] {
  return allowedRules.flatMap((rule) => {
    const named = /^Read\(\/(\/[^*?[\]{}]*?)(?:\/\*\*?)?\)$/.exec(rule)?.[1];
    if (!named || path.normalize(named) !== named || !existsSync(named)) return [];
    const shown = realpathSync(named);
    const isRefused = [named, shown].some(
      (folder) =>
        folder === '/' ||
        NEVER_SHOWN.some((never) => isBelow(folder, never) || isBelow(never, folder)),
    );
    return isRefused ? [] : [named];
  });
}

/** Our programs beside the agent. */
function besideAgent(root: string): Mount[] {
  const files = ['hook', 'mcp-server', 'sandbox-entry', 'demo-agent'].map((name) =>
    path.join(root, 'dist', `${name}.mjs`),
  );
  return files.filter(needsMount).map((file) => readOnly(file));
}

/** The agent's program and its interpreter. */
function programMounts({ file, args }: HostLayout['binary']): Mount[] {
  const scripts = args.filter((arg) => path.isAbsolute(arg));
  const real = realpathSync(file);
  // A script of an npm package needs the other files of its package.
  const program = /\/node_modules\/.*\.[cm]?js$/.test(real) ? path.dirname(real) : real;
  const all = [process.execPath, file, program, ...scripts];
  return [...new Set(all)].filter(needsMount).map((each) => readOnly(each));
}

/** The program's folder is shown anyway. */
function needsMount(file: string): boolean {
  return existsSync(file) && !isBelow(file, '/usr');
}

/** Accounts and host names as the agent sees them: itself. */
function accounts(filesDir: string): Mount[] {
  const { name, id } = SANDBOX_USER;
  const contents = {
    passwd: `${name}:x:${id}:${id}::${INSIDE.configDir}:/bin/bash\n`,
    group: `${name}:x:${id}:\n`,
    hosts: '127.0.0.1 localhost\n',
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  };
  return Object.entries(contents).map(([file, content]) => {
    const from = path.join(filesDir, file);
    writeFileSync(from, content, { mode: 0o644 });
    return readOnly(from, path.join('/etc', file));
  });
}

/** The conversation that is continued, where the agent looks for it from its work folder. */
function continuedConversation({ start, paths, conversations }: AttemptView): Mount[] {
  const { continuation } = start;
  if (continuation.mode !== 'resume') return [];
  const folder = { configDir: paths.configDir, conversations: [conversations] };
  const [kept] = findKeptFiles(folder, [continuation.parentCliSessionId]);
  if (!kept) return [];
  return [kept.file, ...foldersOf(kept)].map((from) =>
    readOnly(from, placeElsewhere(from, kept, conversations, INSIDE)),
  );
}

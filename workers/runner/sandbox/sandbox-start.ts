/** How an agent's process is started in a sandbox. */
import type { SendHandle } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { listProcesses } from '../process/process-table';
import type { Exit } from '../process/start';
import { bwrapOptions, type Sandbox } from './bwrap';
import { limitProcesses } from './process-limit';
import { seccompFilter } from './seccomp';

export interface SandboxStart {
  /** bubblewrap. */
  file: string;
  /** Come before the agent's program. */
  args: readonly string[];
  /** Read from descriptor 5, so that nobody sees the environment in the process list. */
  options: string;
  /** Read from descriptor 6; null on a host for which there is none. */
  filter: Buffer | null;
  /** A port of the sandbox was opened, and is the runner's. */
  onPort(port: unknown, server: SendHandle | undefined): void;
}

const OPTIONS_DESCRIPTOR = '5';
const FILTER_DESCRIPTOR = '6';
/** The entry opens the ports and ends; the agent's program takes the place of the shell. */
const ENTER = 'NODE_CHANNEL_FD=4 "$1" "$2" && shift 2';
const BECOME_AGENT = 'exec "$@" 4>&-';

/**
 * @param root the repository's root folder
 * @param processes how many the agent may have at once, threads included; null if something else limits them
 */
export function sandboxStart(
  file: string,
  root: string,
  sandbox: Sandbox,
  processes: number | null,
  onPort: SandboxStart['onPort'],
): SandboxStart {
  const filter = seccompFilter();
  const entry = [process.execPath, path.join(root, 'dist', 'sandbox-entry.mjs')];
  return {
    file,
    args: [
      ...['--args', OPTIONS_DESCRIPTOR],
      ...(filter === null ? [] : ['--seccomp', FILTER_DESCRIPTOR]),
      '--',
      '/bin/sh',
      '-c',
      [ENTER, ...(processes === null ? [] : [limitProcesses(processes)]), BECOME_AGENT].join(
        ' && ',
      ),
      'enter',
      ...entry,
    ],
    filter,
    options: bwrapOptions(sandbox)
      .map((option) => `${option}\0`)
      .join(''),
    onPort,
  };
}

/** Signals that the agent's program never turns into an exit code of its own. */
const FATAL: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL'];

/** bubblewrap reports a signal that ended the program inside as an exit code. */
export function exitInSandbox(code: number | null, signal: string | null): Exit {
  const fatal = FATAL.find((name) => code === 128 + constants.signals[name]);
  return fatal ? { code: null, signal: fatal } : { code, signal };
}

/**
 * Returns the agent's process as the host numbers it: the first child of the sandbox's first process.
 * Null if it isn't there.
 */
export function mainProcessIn(sandboxPid: number): number | null {
  const all = listProcesses();
  const init = all.find(({ parentPid }) => parentPid === sandboxPid);
  const [main] = all
    .filter(({ parentPid }) => init !== undefined && parentPid === init.pid)
    .toSorted(
      (one, other) => Number(one.startedAt) - Number(other.startedAt) || one.pid - other.pid,
    );
  return main?.pid ?? null;
}

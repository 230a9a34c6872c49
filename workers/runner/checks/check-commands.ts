/**
 * The commands of checks: decided by tier 1's rules and the catalog, and run by the command broker's
 * own code, without a shell and without anything of the runner.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { logger } from '@/lib/platform/logger';
import type { Redactor } from '@/lib/platform/redaction/redactor';
import { commandCheckRefusal } from '@/lib/projects/command-check';
import { MAX_COMMAND_BYTES, MAX_KEPT_OUTPUT } from '@/lib/protocol/checks/command/probe';
import type { CommandEnd, RunCheckCommand } from '@/lib/protocol/checks/outcome';
import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import type { CommandPolicy } from '@/lib/protocol/spec';
import { runCommand } from '../broker/command-run';
import { attemptProcesses, markerPrefix, newMarker } from '../process/attempt-processes';
import { type Cgroup, makeCgroup } from '../process/cgroup';
import { findProgram } from '../process/find-program';

/** Where programs are looked for, whatever the runner's own PATH leads to. */
const PROGRAM_FOLDERS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** For what a command has left behind to be gone once it is killed. */
const CLEAR_MS = 4_000;

/** What commands of checks need of the runner's host. */
export interface CheckHost {
  /** The runner's, by which the processes of its commands are recognized after it was killed. */
  instanceId: string;
  /** Where their cgroups are made; null on a host without. */
  place: { dir: string } | null;
  /** Knows every secret on this host, as it is now. */
  redactor(): Pick<Redactor, 'text' | 'hasOpenEnd'>;
}

export interface CheckCommands {
  /** Returns how commands of a project's checks are run; `policy` as for `commandCheckRefusal`. */
  of(policy: CommandPolicy | null): RunCheckCommand;
  /** Ends all that run, and resolves when they have ended. Starts nothing more. */
  close(): Promise<void>;
}

export function createCheckCommands(host: CheckHost): CheckCommands {
  const closing = new AbortController();
  const running = new Set<Promise<CommandEnd>>();
  return {
    of: (policy) => async (check, argv, signal) => {
      const refusal = commandCheckRefusal(check, policy);
      if (refusal !== null) return { refusal };
      const run = runInEmptyFolder(host, argv, AbortSignal.any([signal, closing.signal]));
      running.add(run);
      return run.finally(() => running.delete(run));
    },
    async close() {
      closing.abort();
      await Promise.allSettled(running);
    },
  };
}

/** Ends what commands of checks have left running, of a runner of this instance that was killed. */
export async function endLeftCommands(instanceId: string): Promise<void> {
  const marker = markerPrefix(nameOf(instanceId));
  const processes = attemptProcesses({ marker, mainPid: null, cgroup: null });
  const { killed } = await processes.clear({ graceMs: 0, withinMs: CLEAR_MS });
  if (killed > 0) logger.warn({ killed }, 'commands of checks left by an earlier runner process');
}

function nameOf(instanceId: string): string {
  return `check-${instanceId}`;
}

/**
 * Runs a program in an empty folder, with no variables of the runner: its keys and settings are not the
 * command's. Everything that it starts ends with it, also in a session of its own: it is found by its
 * cgroup, and by a variable that it inherits. What it prints is without secrets.
 */
export async function runInEmptyFolder(
  host: CheckHost,
  [program = '', ...args]: readonly string[],
  signal: AbortSignal,
): Promise<CommandEnd> {
  const file = findProgram(program, PROGRAM_FOLDERS);
  if (!path.isAbsolute(file)) return notStarted('ENOENT');
  let folder: string;
  try {
    folder = await mkdtemp(path.join(tmpdir(), 'tierwatch-check-'));
  } catch (error) {
    // A full disk of the runner's host says nothing about the service.
    return notStarted(`the runner couldn’t make a folder for it: ${(error as Error).message}`);
  }
  const marker = newMarker(nameOf(host.instanceId));
  const cgroup = host.place && makeCgroup(path.join(host.place.dir, marker));
  try {
    return await runIn({ folder, marker, cgroup }, host.redactor(), file, args, signal);
  } finally {
    cgroup?.remove();
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

interface Place {
  folder: string;
  marker: string;
  cgroup: Cgroup | null;
}

async function runIn(
  { folder, marker, cgroup }: Place,
  redactor: Pick<Redactor, 'text' | 'hasOpenEnd'>,
  file: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<CommandEnd> {
  if (signal.aborted) return notStarted('its time was up');
  const own = { PATH: PROGRAM_FOLDERS, HOME: folder, TMPDIR: folder, LC_ALL: 'C.UTF-8' };
  const env = { ...own, [MARKER_VARIABLE]: marker };
  const processes = attemptProcesses({ marker, mainPid: null, cgroup });
  const clear = () => processes.clear({ graceMs: 0, withinMs: CLEAR_MS });
  let cleared: ReturnType<typeof clear> | null = null;
  const run = runCommand({
    ...{ file, args, env, cwd: folder, redactor, cgroup },
    onExit() {
      // Right away: what holds its output open would hold up its result.
      cleared = clear();
    },
  });
  let output = '';
  let bytes = 0;
  const streams = [run.stdout, run.stderr];
  for (const stream of streams) {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (output.length < MAX_KEPT_OUTPUT) output += chunk.toString('utf8');
      if (bytes > MAX_COMMAND_BYTES) run.kill();
    });
    // It waits for a reader.
    stream.resume();
  }
  // One that is destroyed with its command has nothing left to read.
  const read = Promise.allSettled(streams.map((stream) => finished(stream)));
  const kill = () => run.kill();
  signal.addEventListener('abort', kill, { once: true });
  const { exitCode, signal: by, startError } = await run.ended;
  await read;
  signal.removeEventListener('abort', kill);
  await cleared;
  // Again: the first look may have missed one that was just being started.
  const { survivors } = await clear();
  if (survivors.length > 0) {
    const pids = survivors.map(({ pid }) => pid);
    logger.error({ file, pids }, 'processes of a check could not be ended');
  }
  const kept = output.slice(0, MAX_KEPT_OUTPUT);
  return { exitCode, signal: by, startError, output: kept, isCut: bytes > MAX_COMMAND_BYTES };
}

function notStarted(startError: string): CommandEnd {
  return { exitCode: null, signal: null, startError, output: '', isCut: false };
}

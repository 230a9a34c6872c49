/** One program that the broker runs, without a shell, in a process group of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Redactor } from '@/lib/platform/redaction/redactor';
import { MAX_COMMAND_OUTPUT } from '@/lib/protocol/confined-events';
import { type Cgroup, joinCgroups } from '../process/cgroup';
import { completeEnv } from '../process/environment';
import { type HostProcess, listProcesses, signalProcess } from '../process/process-table';
import { startErrorOf } from '../process/start-error';
import { redactedOutput } from './redacted-output';

export interface CommandRun {
  /** Without secrets. */
  stdout: Readable;
  stderr: Readable;
  /** Ends it, also what it has started. */
  kill(): void;
  /** Resolves when it has ended and its output was read, or nobody reads it anymore. */
  ended: Promise<CommandEnd>;
}

export interface CommandEnd {
  exitCode: number | null;
  signal: string | null;
  /** Set if the program couldn't be started. */
  startError: string | null;
  /** Something of its process group could not be ended, being another account's for example. */
  isLeftRunning: boolean;
  durationMs: number;
  /** The end of what it printed, without secrets. */
  output: string;
  outputBytes: number;
}

const TERM_MS = 5_000;
/** After its end, for output that is still to come. */
const ABANDON_MS = 5_000;
/** What was killed needs a moment to be gone. */
const GONE_MS = 2_000;
const LOOK_EVERY_MS = 20;

/** By the exit code of a shell that couldn't become the program. */
const EXEC_ERRORS: Partial<Record<number, string>> = { 126: 'EACCES', 127: 'ENOENT' };

export function runCommand(options: {
  /** Absolute path of the program. */
  file: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  redactor: Pick<Redactor, 'text' | 'hasOpenEnd'>;
  /** Its own; null on a host without. */
  cgroup: Cgroup | null;
  /** The program itself has ended. What it has started may still run, and hold its output open. */
  onExit?(): void;
}): CommandRun {
  const from = performance.now();
  const stdout = redactedOutput(options.redactor);
  const stderr = redactedOutput(options.redactor);
  const kept = keepEnd([stdout, stderr]);
  let killTimer: NodeJS.Timeout | null = null;
  let hasExited = false;
  let hasClosed = false;
  const { cgroup } = options;
  const start = joinCgroups(cgroup ? [cgroup.dir] : [], options.file, options.args);
  let child: ChildProcess;

  function end(how: Omit<CommandEnd, 'durationMs' | 'output' | 'outputBytes'>): CommandEnd {
    if (killTimer) clearTimeout(killTimer);
    const durationMs = Math.round(performance.now() - from);
    return { ...how, durationMs, output: kept.text, outputBytes: kept.bytes };
  }

  function notStarted(error: unknown): CommandEnd {
    stdout.end();
    const { message } = startErrorOf(error, options.file);
    stderr.end(`tierwatch: ${message}\n`);
    return end({ exitCode: null, signal: null, startError: message, isLeftRunning: false });
  }

  try {
    child = spawn(start.file, start.args, {
      cwd: options.cwd,
      env: completeEnv(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  } catch (error) {
    const ended = Promise.resolve(notStarted(error));
    return { stdout, stderr, kill() {}, ended };
  }
  child.stdout?.pipe(stdout);
  child.stderr?.pipe(stderr);
  // Nobody reads it anymore: the program finds its pipe closed, as it would in a shell.
  stdout.once('close', () => child.stdout?.destroy());
  stderr.once('close', () => child.stderr?.destroy());
  for (const stream of [stdout, stderr]) stream.on('error', () => {});

  function signal(name: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = child;
    if (pid === undefined) return;
    // Its number may be another process's by then.
    if (hasExited && leftOfGroup(pid).length === 0) return;
    signalProcess(-pid, name);
  }

  /** Kills what remains of the command's process group, and returns whether any of it may still be running. */
  async function endGroup(): Promise<boolean> {
    const { pid } = child;
    const until = performance.now() + GONE_MS;
    for (;;) {
      const left = pid === undefined ? [] : leftOfGroup(pid);
      if (left.length === 0) return false;
      if (performance.now() > until) return true;
      signal('SIGKILL');
      if (left.some(isForeign)) cgroup?.kill();
      await wait(LOOK_EVERY_MS);
    }
  }

  /** A process that left the group may hold the output open for as long as it runs. */
  function abandonOutput(): void {
    const isWaitedFor = stdout.writableLength + stderr.writableLength > 0;
    if (isWaitedFor) {
      setTimeout(abandonOutput, ABANDON_MS).unref();
      return;
    }
    child.stdout?.destroy();
    child.stderr?.destroy();
    stdout.end();
    stderr.end();
  }

  const ended = new Promise<CommandEnd>((resolve) => {
    let abandonTimer: NodeJS.Timeout | null = null;
    child.once('error', (error) => {
      hasClosed = true;
      resolve(notStarted(error));
    });
    child.once('exit', () => {
      hasExited = true;
      // What it left behind in its group must not outlive it.
      signal('SIGKILL');
      options.onExit?.();
      abandonTimer = setTimeout(abandonOutput, ABANDON_MS);
    });
    child.once('close', (exitCode, by) => {
      hasClosed = true;
      if (abandonTimer) clearTimeout(abandonTimer);
      if (start.hasFailed(exitCode, kept.text)) {
        const error = Object.assign(new Error('exec'), { code: EXEC_ERRORS[exitCode ?? 0] });
        const { message } = startErrorOf(error, options.file);
        resolve(end({ exitCode: null, signal: null, startError: message, isLeftRunning: false }));
        return;
      }
      const ending = { exitCode, signal: by, startError: null };
      void endGroup().then((isLeftRunning) => resolve(end({ ...ending, isLeftRunning })));
    });
  });
  return {
    stdout,
    stderr,
    kill() {
      // What it leaves in a session of its own stays until the attempt ends.
      if (killTimer || hasClosed) return;
      // Nobody reads it anymore.
      stdout.destroy();
      stderr.destroy();
      signal('SIGTERM');
      killTimer = setTimeout(() => {
        if (hasClosed) return;
        signal('SIGKILL');
        cgroup?.kill();
      }, TERM_MS);
    },
    ended,
  };
}

function keepEnd(streams: readonly Readable[]) {
  let text = '';
  let bytes = 0;
  for (const stream of streams) {
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      text = (text + chunk.toString('utf8')).slice(-MAX_COMMAND_OUTPUT);
    });
    // A listener for data makes it flow; it flows once somebody reads it.
    stream.pause();
  }
  return {
    get text() {
      return text;
    },
    get bytes() {
      return bytes;
    },
  };
}

/**
 * Returns what is left of a process group whose leader has ended. The kernel gives the leader's number to
 * no other process while the group has members, so one with that number says that the group is gone.
 *
 * @param list the host's processes; read where the group, or another with its number, exists
 */
export function leftOfGroup(
  leader: number,
  list: () => readonly HostProcess[] = listProcesses,
): HostProcess[] {
  if (signalProcess(-leader, 0) === 'gone') return [];
  const processes = list();
  if (processes.some(({ pid }) => pid === leader)) return [];
  return processes.filter(({ groupId, isZombie }) => groupId === leader && !isZombie);
}

/** Whether a process is there that this account may not signal. */
function isForeign({ pid }: HostProcess): boolean {
  return signalProcess(pid, 0) === 'refused';
}

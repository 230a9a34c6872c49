/** One program that the broker runs, without a shell, in a process group of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Redactor } from '@/lib/platform/redaction/redactor';
import { MAX_COMMAND_OUTPUT } from '@/lib/protocol/confined-events';
import { completeEnv } from '../process/environment';
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
  durationMs: number;
  /** The end of what it printed, without secrets. */
  output: string;
  outputBytes: number;
}

const TERM_MS = 5_000;
/** After its end, for output that is still to come. */
const ABANDON_MS = 5_000;

export function runCommand(options: {
  /** Absolute path of the program. */
  file: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  redactor: Pick<Redactor, 'text' | 'hasOpenEnd'>;
  onStarted(pid: number): void;
}): CommandRun {
  const from = performance.now();
  const stdout = redactedOutput(options.redactor);
  const stderr = redactedOutput(options.redactor);
  const kept = keepEnd([stdout, stderr]);
  let killTimer: NodeJS.Timeout | null = null;
  let child: ChildProcess;

  function end(how: Pick<CommandEnd, 'exitCode' | 'signal' | 'startError'>): CommandEnd {
    if (killTimer) clearTimeout(killTimer);
    const durationMs = Math.round(performance.now() - from);
    return { ...how, durationMs, output: kept.text, outputBytes: kept.bytes };
  }

  function notStarted(error: unknown): CommandEnd {
    stdout.end();
    const { message } = startErrorOf(error, options.file);
    stderr.end(`tierwatch: ${message}\n`);
    return end({ exitCode: null, signal: null, startError: message });
  }

  try {
    child = spawn(options.file, options.args, {
      cwd: options.cwd,
      env: completeEnv(options.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
  } catch (error) {
    const ended = Promise.resolve(notStarted(error));
    return { stdout, stderr, kill() {}, ended };
  }
  if (child.pid !== undefined) options.onStarted(child.pid);
  child.stdout?.pipe(stdout);
  child.stderr?.pipe(stderr);
  // Nobody reads it anymore: the program finds its pipe closed, as it would in a shell.
  stdout.once('close', () => child.stdout?.destroy());
  stderr.once('close', () => child.stderr?.destroy());
  for (const stream of [stdout, stderr]) stream.on('error', () => {});

  function signal(name: 'SIGTERM' | 'SIGKILL'): void {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // Its whole group has ended.
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
    child.once('error', (error) => resolve(notStarted(error)));
    child.once('exit', () => {
      // What it left behind in its group must not outlive it.
      signal('SIGKILL');
      abandonTimer = setTimeout(abandonOutput, ABANDON_MS);
    });
    child.once('close', (exitCode, by) => {
      if (abandonTimer) clearTimeout(abandonTimer);
      resolve(end({ exitCode, signal: by, startError: null }));
    });
  });
  return {
    stdout,
    stderr,
    kill() {
      if (killTimer) return;
      // Nobody reads it anymore.
      stdout.destroy();
      stderr.destroy();
      signal('SIGTERM');
      killTimer = setTimeout(() => signal('SIGKILL'), TERM_MS);
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

/** Starts one command exactly as a harness built it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, openSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Command } from '@/lib/agents/agent';
import { namesIn, readText } from '../files';
import { exitInSandbox, mainProcessIn, type SandboxStart } from '../sandbox/sandbox-start';
import { joinCgroups } from './cgroup';
import { completeEnv } from './environment';
import { giveWay } from './give-way';
import { createLineReader } from './line-reader';
import { type StartError, startErrorOf } from './start-error';

/** Of a line of stdout that is kept in memory. */
const MAX_LINE_BYTES = 1_000_000;

export interface Exit {
  code: number | null;
  signal: string | null;
}

export interface RunningProcess {
  pid: number;
  /** The process itself has ended; its output may still be open in a child's hands. */
  exited: Promise<Exit>;
  /** Its output has ended as well, and every line was handed over. */
  closed: Promise<void>;
  signal(name: 'SIGINT' | 'SIGKILL'): void;
  /** `line` without its newline. False when the process no longer accepts input. */
  writeLine(line: string): boolean;
  endInput(): void;
  /** Stops reading, when a process that cannot be killed holds the output open. */
  abandonOutput(): void;
}

type Start = { ok: true; process: RunningProcess } | { ok: false; error: StartError };

interface StartOptions {
  workDir: string;
  /** A private folder for the moment in which the key is handed over. */
  keyDir: string;
  /** Null: it runs on the host itself. */
  sandbox: SandboxStart | null;
  /** Cgroups that a sandbox is started in. */
  cgroupDirs: readonly string[];
  onLine(line: string, cutBytes: number): void;
  onStderr(chunk: Buffer): void;
}

export async function startProcess(command: Command, options: StartOptions): Promise<Start> {
  const { sandbox, keyDir } = options;
  const descriptors: number[] = [];
  const descriptorOf = (content: string | Buffer) => {
    const opened = unlinkedFile(keyDir, content);
    descriptors.push(opened);
    return opened;
  };
  try {
    for (const file of command.files) writeFileSync(file.path, file.content, { mode: 0o600 });
    const key = command.fd3 === undefined ? null : descriptorOf(command.fd3);
    const child = sandbox
      ? spawnConfined(command, sandbox, options.cgroupDirs, [
          ...[key ?? ('ignore' as const), 'ipc' as const, descriptorOf(sandbox.options)],
          sandbox.filter === null ? 'ignore' : descriptorOf(sandbox.filter),
        ])
      : spawn(command.file, command.args, {
          cwd: options.workDir,
          env: completeEnv(command.env),
          stdio: ['pipe', 'pipe', 'pipe', ...(key === null ? [] : [key])],
          // A group of its own, so that Ctrl-C at the runner's terminal is the runner's to pass on.
          detached: true,
        });
    if (!sandbox && child.pid !== undefined) giveWay(child.pid);
    // Listened to before anything is awaited: a short process ends within the same moment.
    const running = observe(child, options);
    await spawned(child);
    writePrompt(child.stdin, command);
    return { ok: true, process: running };
  } catch (error) {
    return { ok: false, error: startErrorOf(error, command.file) };
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}

/**
 * @param extra descriptors from 3 on: the key, the runner's channel, and the options and the filter of
 * the sandbox
 */
function spawnConfined(
  command: Command,
  sandbox: SandboxStart,
  cgroupDirs: readonly string[],
  extra: readonly (number | 'ignore' | 'ipc')[],
): ChildProcess {
  // Reported by the start itself, as it would be without the shell that joins.
  accessSync(sandbox.file, constants.X_OK);
  const inside = [...sandbox.args, command.file, ...command.args];
  const { file, args } = joinCgroups(cgroupDirs, sandbox.file, inside);
  const child = spawn(file, args, {
    cwd: '/',
    // Whatever it is started with could be read inside.
    env: completeEnv({}),
    stdio: ['pipe', 'pipe', 'pipe', ...extra, ...coveringInherited(3 + extra.length)],
    detached: true,
  });
  child.on('message', sandbox.onPort);
  return child;
}

/**
 * A file whose name is gone before the process starts. Not a pipe: the CLI opens its key by
 * descriptor path, which works on a file only.
 */
function unlinkedFile(dir: string, content: string | Buffer): number {
  const file = path.join(dir, 'descriptor');
  try {
    writeFileSync(file, content, { mode: 0o600 });
    return openSync(file, 'r');
  } finally {
    rmSync(file, { force: true });
  }
}

/** Nothing in the place of descriptors that the runner itself was started with. */
function coveringInherited(from: number): 'ignore'[] {
  return Array.from({ length: Math.max(0, lastInheritedDescriptor() + 1 - from) }, () => 'ignore');
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
}

function observe(child: ChildProcess, options: StartOptions): RunningProcess {
  const reader = createLineReader(MAX_LINE_BYTES, options.onLine);
  child.stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
  child.stderr?.on('data', options.onStderr);
  for (const stream of [child.stdout, child.stderr] satisfies (Readable | null)[]) {
    stream?.on('error', () => {});
  }
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(options.sandbox ? exitInSandbox(code, signal) : { code, signal }),
    );
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      reader.end();
      resolve();
    });
  });
  return {
    // Looked at only after the process was spawned, when it has one.
    get pid() {
      return child.pid ?? 0;
    },
    exited,
    closed,
    signal(name) {
      // The sandbox itself ends at a signal, without passing it on.
      const inside = options.sandbox && name === 'SIGINT' ? mainProcessIn(child.pid ?? 0) : null;
      if (inside === null) child.kill(name);
      else process.kill(inside, name);
    },
    writeLine(line) {
      if (!child.stdin?.writable) return false;
      child.stdin.write(`${line}\n`);
      return true;
    },
    endInput: () => void child.stdin?.end(),
    abandonOutput() {
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}

function writePrompt(stdin: Writable | null, command: Command): void {
  // A process that ends without reading its prompt is detected by its exit, not by a broken pipe.
  stdin?.on('error', () => {});
  stdin?.write(command.stdin);
  if (!command.stdinStaysOpen) stdin?.end();
}

/** Set for descriptors that a started program doesn't get. */
const CLOSE_ON_EXEC = 0o2000000;
const LAST = 1_023;

/**
 * Returns the highest descriptor that this process passes on to programs it starts without meaning
 * to: those that it was itself started with, such as pipes and locks of whoever started it.
 *
 * @returns 2 if there is none above the standard ones
 */
function lastInheritedDescriptor(): number {
  const open = namesIn('/proc/self/fd').map(Number);
  const passedOn = open.filter((descriptor) => descriptor <= LAST && isPassedOn(descriptor));
  return Math.max(2, ...passedOn);
}

function isPassedOn(descriptor: number): boolean {
  // Of the one that read the folder, nothing is left.
  const info = readText(`/proc/self/fdinfo/${descriptor}`);
  const flags = /^flags:\s*(\d+)$/m.exec(info)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
}

/** Runs a harness's command as a real process and reads it with the harness's parser. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import type { Command } from '@/lib/agents/agent';
import { createClaudeParser } from '@/lib/agents/claude/stream';
import type { HarnessEvent, InitEvent, ResultEvent } from '@/lib/protocol/events';

export interface CliRun {
  events: HarnessEvent[];
  init: InitEvent | null;
  results: ResultEvent[];
  exit: { code: number | null; signal: string | null };
  stderr: string;
}

export interface StartedCli {
  child: ChildProcess;
  /** Resolves with the event once one that matches has been printed. */
  waitForEvent(matches: (event: HarnessEvent) => boolean): Promise<HarnessEvent>;
  ended: Promise<CliRun>;
}

export async function runCli(command: Command, workDir: string): Promise<CliRun> {
  return (await startCli(command, workDir)).ended;
}

/** @param more further input: each is written once what was before it has its result */
export async function startCli(
  command: Command,
  workDir: string,
  more: readonly string[] = [],
): Promise<StartedCli> {
  for (const file of command.files) {
    await mkdir(path.dirname(file.path), { recursive: true });
    await writeFile(file.path, file.content, { mode: 0o600 });
  }
  const keyDescriptor = command.fd3 === undefined ? null : unlinkedFile(command, command.fd3);
  const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', keyDescriptor ?? 'ignore'];
  // Next types NODE_ENV as always set; the CLI gets what the command says and nothing else.
  const env = command.env as NodeJS.ProcessEnv;
  const child = spawn(command.file, command.args, { cwd: workDir, env, stdio });
  if (keyDescriptor !== null) closeSync(keyDescriptor);
  const events: HarnessEvent[] = [];
  const waiting: {
    matches: (event: HarnessEvent) => boolean;
    resolve: (e: HarnessEvent) => void;
  }[] = [];
  const parser = createClaudeParser();
  const waitingInput = [...more];
  const goOn = () => {
    const next = waitingInput.shift();
    if (next === undefined) child.stdin?.end();
    else child.stdin?.write(next);
  };
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout ?? process.stdin });
  lines.on('line', (line) => {
    for (const event of parser.push(line)) {
      events.push(event);
      if (event.kind === 'result') goOn();
      for (const waiter of waiting) if (waiter.matches(event)) waiter.resolve(event);
    }
  });
  writePrompt(child.stdin, command);

  const linesEnded = new Promise((resolve) => lines.once('close', resolve));
  const ended = new Promise<CliRun>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', async (code, signal) => {
      await linesEnded;
      const results = events.filter((event) => event.kind === 'result');
      const init = events.find((event) => event.kind === 'init') ?? null;
      resolve({ events, init, results, exit: { code, signal }, stderr });
    });
  });
  return {
    child,
    waitForEvent: (matches) =>
      new Promise((resolve) => {
        const seen = events.find(matches);
        if (seen) resolve(seen);
        else waiting.push({ matches, resolve });
      }),
    ended,
  };
}

/** Node's own pipes are sockets, which CLI 2.1.197 cannot open as /dev/fd/3. */
function unlinkedFile(command: Command, content: string): number {
  const file = path.join(command.env.CLAUDE_CODE_TMPDIR ?? '', 'descriptor');
  writeFileSync(file, content, { mode: 0o600 });
  const descriptor = openSync(file, 'r');
  rmSync(file);
  return descriptor;
}

function writePrompt(stream: Writable | null, { stdin, stdinStaysOpen }: Command): void {
  // A process that ends before it has read everything closes the pipe.
  stream?.on('error', () => {});
  stream?.write(stdin);
  if (!stdinStaysOpen) stream?.end();
}

import { spawn } from 'node:child_process';
import { createProgram, runCommand } from '@/cli/program';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { programFile } from '@/scripts/bootstrap/programs.mjs';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  /** What it has printed so far. */
  output(): string;
  ended: Promise<CommandResult>;
}

/** Starts the command line as `npm run tierwatch --` does, in a process of its own. */
export function startCommand(args: string[], env: Record<string, string>): RunningCommand {
  const child = spawn(process.execPath, [programFile('tierwatch'), ...args], {
    cwd: checkout,
    env: { ...process.env, LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { output: () => stdout, ended };
}

/** Runs the command line against the API in this process: starting one takes as long as some twenty commands. */
export function runHere(args: string[], env: Record<string, string>): RunningCommand {
  const said = { stdout: '', stderr: '' };
  const writer = (to: keyof typeof said) => ({
    write: (text: string) => {
      said[to] += text;
    },
  });
  const terminal = { stdout: writer('stdout'), stderr: writer('stderr'), exitCode: 0 };
  const done = runCommand(terminal, () =>
    createProgram(env, terminal).parseAsync(args, { from: 'user' }),
  );
  return {
    output: () => said.stdout,
    ended: done.then(() => ({ code: terminal.exitCode, ...said })),
  };
}

/** A runner that can be killed like any other process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { testProgram } from '../programs';
import type { SmallDisk } from '../small-disk';
import { RUNNER_KEY } from './fake-control-plane';

export interface RunnerProcess {
  pid: number;
  ended: Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
  output(): string;
}

export function startRunnerProcess(
  env: Record<string, string>,
  program: string = testProgram('runner'),
  disk?: SmallDisk,
): RunnerProcess {
  const plain: [string, string[]] = [process.execPath, [program]];
  const [file, args] = disk ? disk.command(...plain) : plain;
  const child: ChildProcess = spawn(file, args, {
    cwd: checkout,
    env: { PATH: process.env.PATH, NODE_ENV: 'test', TIERWATCH_RUNNER_KEY: RUNNER_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return {
    pid: child.pid ?? 0,
    ended: new Promise((resolve) => child.once('close', resolve)),
    output: () => output,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, 'exit');
    },
  };
}

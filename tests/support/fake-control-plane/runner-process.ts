/** A runner that can be killed like any other process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { RUNNER_KEY } from './fake-control-plane';

const root = path.resolve(import.meta.dirname, '../../..');

export interface RunnerProcess {
  kill(signal: NodeJS.Signals): Promise<void>;
  output(): string;
}

export function startRunnerProcess(
  env: Record<string, string>,
  program = path.join(import.meta.dirname, 'runner-program.ts'),
): RunnerProcess {
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', program], {
    cwd: root,
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
    output: () => output,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, 'exit');
    },
  };
}

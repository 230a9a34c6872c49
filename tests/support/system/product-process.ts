/** One real process of the product, started the way `npm start` starts it, that a test may kill. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '@/scripts/bootstrap/folders.mjs';

const LIFELINE = path.join(checkout, 'scripts', 'bootstrap', 'lifeline.mjs');
const STOP_WITHIN_MS = 25_000;

export interface ProcessSpec {
  name: string;
  /** Of Node. */
  args: string[];
  env: Record<string, string | undefined>;
}

export interface ProductProcess {
  readonly name: string;
  readonly logFile: string;
  /** Throws while it does not run. */
  pid(): number;
  isRunning(): boolean;
  /** Everything it has said, over all of its starts. */
  output(): string;
  /** `more`: settings of this start alone. */
  start(more?: Record<string, string>): void;
  /** Resolves once it has ended; SIGTERM turns into SIGKILL when it takes too long. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

export function productProcess(spec: ProcessSpec, logsDir: string): ProductProcess {
  const logFile = path.join(logsDir, `${spec.name}.log`);
  let child: ChildProcess | null = null;

  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;
  return {
    name: spec.name,
    logFile,
    isRunning,
    pid() {
      if (!isRunning() || child?.pid === undefined) throw new Error(`${spec.name} does not run.`);
      return child.pid;
    },
    output: () => readFileSync(logFile, 'utf8'),
    start(more = {}) {
      if (isRunning()) throw new Error(`${spec.name} runs already.`);
      mkdirSync(logsDir, { recursive: true });
      const log = openSync(logFile, 'a');
      child = spawn(process.execPath, ['--import', LIFELINE, ...spec.args], {
        cwd: checkout,
        env: { NODE_ENV: 'production', ...spec.env, ...more, TIERWATCH_LIFELINE_FD: '3' },
        // The fourth is the pipe that ends it when the test run is killed.
        stdio: ['ignore', log, log, 'pipe'],
        detached: true,
      });
      child.stdio[3]?.on('error', () => {});
      closeSync(log);
    },
    async end(signal = 'SIGTERM') {
      const ending = child;
      if (ending === null || !isRunning()) return;
      const exited = once(ending, 'exit');
      ending.kill(signal);
      const giveUp = setTimeout(() => ending.kill('SIGKILL'), STOP_WITHIN_MS);
      await exited;
      clearTimeout(giveUp);
    },
  };
}

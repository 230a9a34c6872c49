/** Processes that are killed by SIGKILL between two writes. They load in advance, which is what takes long. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { databaseEnvironment, type TestDatabase } from '../database';
import type { CrashAnswer, CrashTask } from './task';

const root = path.resolve(import.meta.dirname, '../../..');

export interface CrashOutcome {
  /** False when the task came to its end before the write at which it was to be killed. */
  isKilled: boolean;
  /** Writes of a task that came to its end. */
  writes: number;
}

export class CrashingProcesses {
  private readonly ready: ChildProcess[] = [];

  constructor(private readonly database: TestDatabase) {}

  /** Starts one beforehand, to be used by a later `run`. */
  prepare(): void {
    this.ready.push(this.spawn());
  }

  /** Does the task in a process of its own, which dies at `task.killAfter` writes. */
  async run(task: CrashTask): Promise<CrashOutcome> {
    const child = this.ready.shift() ?? this.spawn();
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    let answer: CrashAnswer | null = null;
    child.once('message', (message) => {
      answer = message as CrashAnswer;
    });
    const exit = new Promise<NodeJS.Signals | null>((resolve) => {
      child.once('exit', (_code, signal) => resolve(signal));
    });
    child.send(task);
    const signal = await exit;
    if (signal === 'SIGKILL') return { isKilled: true, writes: task.killAfter };
    const { writes, error } = answer ?? { writes: 0, error: stderr };
    if (error !== null) throw new Error(`The process failed by itself: ${error}`);
    return { isKilled: false, writes };
  }

  /** Ends those that were never used. */
  close(): void {
    for (const child of this.ready.splice(0)) child.kill('SIGKILL');
  }

  private spawn(): ChildProcess {
    return spawn(
      process.execPath,
      ['--import', 'tsx', path.join(import.meta.dirname, 'child.ts')],
      {
        cwd: root,
        env: {
          NODE_ENV: 'test',
          PATH: process.env.PATH,
          LOG_LEVEL: 'silent',
          ...databaseEnvironment(this.database),
        },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      },
    );
  }
}

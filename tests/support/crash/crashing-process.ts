import { spawn } from 'node:child_process';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { databaseEnvironment, type TestDatabase } from '../database';
import { testProgram } from '../programs';
import type { CrashAnswer, CrashTask } from './task';

/**
 * Does a task in a process of its own, which is killed by SIGKILL in the middle of it.
 *
 * @returns whose work was cut off; the rest had come to its end
 */
export async function runUntilKilled(
  database: TestDatabase,
  task: CrashTask,
): Promise<Set<string>> {
  const child = spawn(process.execPath, [testProgram('crash')], {
    cwd: checkout,
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      LOG_LEVEL: 'silent',
      ...databaseEnvironment(database),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const answers: CrashAnswer[] = [];
  child.on('message', (message) => answers.push(message as CrashAnswer));
  const exit = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (_code, signal) => resolve(signal));
  });
  child.send(task);
  const signal = await exit;
  const [answer] = answers;
  if (signal !== 'SIGKILL' || !answer || answer.errors.length > 0) {
    throw new Error(`The process failed by itself: ${answer?.errors.join('; ') ?? stderr}`);
  }
  return new Set(answer.frozen);
}

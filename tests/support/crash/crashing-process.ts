import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { databaseEnvironment, type TestDatabase } from '../database';
import { testProgram } from '../programs';
import type { CrashAnswer, CrashTask } from './task';

/**
 * Does a task in a process of its own, which is killed by SIGKILL in the middle of it. Resolves once
 * the database has noticed: until then it holds the locks of what was cut off.
 *
 * @returns whose work was cut off; the rest had come to its end
 */
export async function runUntilKilled(
  database: TestDatabase,
  task: CrashTask,
): Promise<Set<string>> {
  const name = `crash-${randomUUID()}`;
  const child = spawn(process.execPath, [testProgram('crash')], {
    cwd: checkout,
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH,
      LOG_LEVEL: 'silent',
      PGAPPNAME: name,
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
  await untilDisconnected(database, name);
  return new Set(answer.frozen);
}

async function untilDisconnected({ superuserUrl }: TestDatabase, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  const text = 'select 1 from pg_stat_activity where application_name = $1';
  while (((await client.query(text, [name])).rowCount ?? 0) > 0) await sleep(5);
  await client.end();
}

import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../bootstrap/ports.mjs';
import { endWithUs } from './run-command.mjs';

const READY_TIMEOUT_MS = 10_000;

/** A program on the PATH, or null. */
export function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not here: the next folder may have it.
    }
  }
  return null;
}

async function waitUntilReady(url) {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { retryStrategy: () => 50 });
  redis.on('error', () => {});
  try {
    const ready = redis.ping();
    const timeout = sleep(READY_TIMEOUT_MS, 'timeout', { ref: false });
    if ((await Promise.race([ready, timeout])) === 'timeout')
      throw new Error('Redis did not start.');
  } finally {
    redis.disconnect();
  }
}

/**
 * A Redis of our own, keeping nothing.
 * @param {string} program
 * @param {{ port?: number }} [options] by default a free one
 * @returns {Promise<{ url: string, stop: (signal?: NodeJS.Signals) => Promise<void> }>}
 */
export async function startRedis(program, { port: wanted } = {}) {
  const port = wanted ?? (await findFreePort());
  const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no', databases: 10_000 };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(program, args, { stdio: 'ignore' });
  endWithUs(child);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const stop = async (signal = 'SIGTERM') => {
    child.kill(signal);
    await ended;
  };
  const url = `redis://127.0.0.1:${port}/0`;
  try {
    await waitUntilReady(url);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

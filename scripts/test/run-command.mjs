import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { checkout } from '../bootstrap/folders.mjs';

/** Where a program writes: our terminal, or the descriptor of a file. @typedef {'inherit' | number} Output */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** Ends this process along with ours, see `stopOnSignals`. @param {import('node:child_process').ChildProcess} child */
export function endWithUs(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/**
 * Runs a Node program of the checkout.
 *
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, output?: Output }} [options]
 * @returns {Promise<boolean>} exit code 0
 */
export async function runShown(args, { env = {}, output = 'inherit' } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: checkout,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  });
  endWithUs(child);
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

/**
 * Exits on a signal, after what runs has ended in order. On SIGINT, Playwright stops the products that
 * it started; a terminal sends that to everyone by itself.
 */
export function stopOnSignals() {
  const stop = async (forwarded) => {
    const children = [...running];
    const ended = children.map((child) => once(child, 'exit'));
    if (forwarded) for (const child of children) child.kill(forwarded);
    await Promise.all(ended);
    process.exit(1);
  };
  process.once('SIGTERM', () => void stop('SIGINT'));
  process.once('SIGINT', () => void stop(null));
}

import { spawn } from 'node:child_process';
import { checkout } from '../bootstrap/folders.mjs';

/** Where a program writes: our terminal, or the descriptor of a file. @typedef {'inherit' | number} Output */

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
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

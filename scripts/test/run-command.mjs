import { spawn } from 'node:child_process';
import { checkout } from '../bootstrap/folders.mjs';

/** Runs a Node program of the checkout with our terminal. @returns {Promise<boolean>} exit code 0 */
export async function runShown(args, env = {}) {
  const child = spawn(process.execPath, args, {
    cwd: checkout,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

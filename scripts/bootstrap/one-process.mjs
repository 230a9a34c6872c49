import { spawn } from 'node:child_process';
import path from 'node:path';
import { checkout } from './folders.mjs';
import { guardProcess } from './guard.mjs';

const LIFELINE = path.join(checkout, 'scripts', 'bootstrap', 'lifeline.mjs');

/**
 * Runs one process in the foreground with our own terminal, passing signals on, and ends as it ends.
 * @param {import('./processes.mjs').ProcessSpec} spec
 */
export async function runInForeground(spec) {
  const child = spawn(process.execPath, ['--import', LIFELINE, ...spec.args], {
    cwd: checkout,
    env: { ...spec.env, TIERWATCH_LIFELINE_FD: '3' },
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
  });
  child.stdio[3]?.on('error', () => {});
  const guard = child.pid ? guardProcess(child.pid) : null;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode, signal) => resolve(exitCode ?? (signal ? 1 : 0)));
  });
  guard?.dismiss();
  process.exitCode = code;
}

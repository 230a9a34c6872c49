import { spawn } from 'node:child_process';
import path from 'node:path';
import { checkout } from './folders.mjs';
import { StartProblem } from './problem.mjs';

const LIFELINE = path.join(import.meta.dirname, 'lifeline.mjs');
const SHOWN = ['inherit', 'inherit', 'inherit'];
const KEPT = ['ignore', 'pipe', 'pipe'];

const running = new Set();
const stopped = new WeakSet();

/** A command ended because it was no longer wanted. */
export class CommandStopped extends StartProblem {
  name = 'CommandStopped';
}

/** Ends whatever runCommand is running; its callers see a CommandStopped. */
export function stopCommands() {
  for (const child of running) {
    stopped.add(child);
    child.kill('SIGTERM');
  }
}

/**
 * Awaits all of several works. When one fails, the commands of the others are stopped, so that its
 * error is shown at once.
 * @template {unknown[]} Results
 * @param {{ [Index in keyof Results]: Promise<Results[Index]> }} works
 * @returns {Promise<Results>}
 */
export async function allOrStop(works) {
  try {
    return await Promise.all(works);
  } catch (error) {
    stopCommands();
    await Promise.allSettled(works);
    throw error;
  }
}

/**
 * Runs a program in the checkout to its end. Its output is kept, and shown when it fails.
 * @param {string} file
 * @param {string[]} args
 * @param {{ env?: Record<string, string | undefined>, isShown?: boolean, what?: string }} [options] isShown: the output
 *   goes straight to the terminal; what: a name for the work in the error
 * @returns {Promise<string>} what it printed
 */
export async function runCommand(file, args, { env = process.env, isShown = false, what } = {}) {
  const child = spawn(file, args, {
    cwd: checkout,
    env: { ...env, TIERWATCH_LIFELINE_FD: '3' },
    stdio: [...(isShown ? SHOWN : KEPT), 'pipe'],
  });
  child.stdio[3]?.on('error', () => {});
  running.add(child);
  const printed = [];
  child.stdout?.on('data', (chunk) => printed.push(chunk));
  child.stderr?.on('data', (chunk) => printed.push(chunk));
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) => resolve(exitCode ?? signal));
  }).finally(() => running.delete(child));
  const output = Buffer.concat(printed).toString('utf8');
  if (code === 0) return output;
  const Problem = stopped.has(child) ? CommandStopped : StartProblem;
  throw new Problem(`${what ?? [file, ...args].join(' ')} failed (${code}).\n${output.trim()}`);
}

/** The same for a Node program, which also ends when this process is killed. */
export function runNode(args, options) {
  return runCommand(process.execPath, ['--import', LIFELINE, ...args], options);
}

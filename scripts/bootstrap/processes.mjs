import { spawn } from 'node:child_process';
import path from 'node:path';
import { countFailure, restartDelayMs } from './back-off.mjs';
import { checkout } from './folders.mjs';
import { guardProcess } from './guard.mjs';

const LIFELINE = path.join(checkout, 'scripts', 'bootstrap', 'lifeline.mjs');
const isWindows = process.platform === 'win32';

/**
 * @typedef {{ name: string, args: string[], env: Record<string, string | undefined>, stopTimeoutMs: number }} ProcessSpec
 *   args: of Node, after the lifeline
 */

/** @param {ProcessSpec} spec */
function spawnProcess(spec) {
  const args = ['--import', LIFELINE, ...spec.args];
  return spawn(process.execPath, args, {
    cwd: checkout,
    env: { ...spec.env, TIERWATCH_LIFELINE_FD: '3' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own, so that Ctrl-C reaches only the start, which stops all in order.
    detached: !isWindows,
    windowsHide: true,
  });
}

function signalGroup(pid, signal) {
  try {
    process.kill(isWindows ? pid : -pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error;
  }
}

/**
 * Runs a process until stop is called, restarting it when it exits unexpectedly.
 * @param {ProcessSpec} spec
 * @param {{ follow: (child: import('node:child_process').ChildProcess) => void, note: (text:
 * string) => void }} log
 * @param {{ add: (pid: number) => void, remove: (pid: number) => void }} [running] what a later start
 *   ends if this one is killed
 * @returns {{ name: string, pid: () => number | undefined, exits: () => number, stop: (isHurried?:
 * boolean) => Promise<void> }}
 */
export function keepRunning(spec, log, running) {
  let child;
  let ended = Promise.resolve();
  let timer;
  let isStopping = false;
  let failures = 0;
  let exits = 0;

  const launch = () => {
    const beganAt = performance.now();
    child = spawnProcess(spec);
    const { pid } = child;
    log.follow(child);
    const guard = pid ? guardProcess(pid, { hasGroup: true }) : null;
    if (pid) running?.add(pid);
    child.stdio[3]?.on('error', () => {});
    ended = new Promise((resolve) => {
      child.once('error', (error) => {
        log.note(`could not be started: ${error.message}`);
        resolve();
      });
      child.once('exit', (code, signal) => {
        guard?.dismiss();
        // What it started and left behind goes with it.
        if (pid) {
          signalGroup(pid, 'SIGKILL');
          running?.remove(pid);
        }
        resolve();
        if (isStopping) return;
        exits += 1;
        failures = countFailure(failures, performance.now() - beganAt);
        const delayMs = restartDelayMs(failures);
        log.note(
          `exited unexpectedly (${signal ?? `exit ${code}`}); restarting in ${delayMs / 1000} s`,
        );
        timer = setTimeout(launch, delayMs);
      });
    });
  };
  launch();

  return {
    name: spec.name,
    pid: () => child.pid,
    exits: () => exits,
    async stop(isHurried = false) {
      isStopping = true;
      clearTimeout(timer);
      if (!child.pid || child.exitCode !== null || child.signalCode !== null) return;
      child.kill(isHurried ? 'SIGKILL' : 'SIGTERM');
      const giveUp = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), spec.stopTimeoutMs);
      await ended;
      clearTimeout(giveUp);
    },
  };
}

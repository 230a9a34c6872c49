import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { countFailure, restartDelayMs } from '../back-off.mjs';
import { guardProcess } from '../guard.mjs';
import { isAlive } from '../process-identity.mjs';
import { stopServer } from './left-server.mjs';
import { ensureOwner } from './owner.mjs';
import { findPlace } from './place.mjs';
import { ensureCluster, runServer } from './server.mjs';
import { ownerUrl, readOrMakeSettings, superuserUrl, writeSettings } from './settings.mjs';

const LOOK_MS = 250;

/**
 * Starts the cluster of a data folder, and creates it the first time.
 *
 * @param {{ path: string }} folder from holdDataFolder: one process at a time
 * @param {{ isThrowaway?: boolean }} [options] throwaway: fast, and lost with the machine's power
 * @returns {Promise<{
 *   ownerUrl: string,
 *   superuserUrl: string,
 *   isReused: boolean,
 *   ended: () => Promise<void>,
 *   keepRunning: (note: (text: string) => void) => void,
 *   stop: () => Promise<void>,
 * }>} `ended` resolves once the server has exited. `keepRunning` starts it again, on the same port,
 *   each time it exits on its own.
 */
export async function startCluster(folder, { isThrowaway = false } = {}) {
  const home = path.join(folder.path, 'postgres');
  mkdirSync(home, { recursive: true });
  const settings = readOrMakeSettings(home);
  const place = await findPlace(folder.path, home, settings);
  await ensureCluster({ ...place, settings, isThrowaway });
  const logFile = path.join(folder.path, 'logs', 'postgres.log');
  let server = await runServer({ ...place, settings, isThrowaway, logFile });
  const { port, isReused } = server;
  let guard = guardServer(server.pid);
  const stopping = new AbortController();
  let keeping = Promise.resolve();

  const ended = async () => {
    const { pid } = server;
    while (isAlive(pid)) await sleep(LOOK_MS);
  };
  const restart = async () => {
    server = await runServer({ ...place, settings, isThrowaway, logFile, port });
    guard = guardServer(server.pid);
  };
  const keep = async (note) => {
    let failures = 0;
    let beganAt = performance.now();
    for (;;) {
      await ended();
      if (stopping.signal.aborted) return;
      guard.dismiss();
      failures = countFailure(failures, performance.now() - beganAt);
      const delayMs = restartDelayMs(failures);
      note(
        `PostgreSQL exited unexpectedly; restarting in ${delayMs / 1000} s. Its log is ${logFile}.`,
      );
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      beganAt = performance.now();
      try {
        await restart();
        note('PostgreSQL is running again.');
      } catch (error) {
        note(`PostgreSQL could not be started: ${error.message}`);
      }
    }
  };
  const stop = async () => {
    stopping.abort();
    guard.dismiss();
    await stopServer(server.pid);
    await keeping;
    // It may have been starting again meanwhile.
    guard.dismiss();
    await stopServer(server.pid);
  };

  const running = { ...settings, port };
  try {
    writeSettings(home, running);
    await ensureOwner(running);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ownerUrl: ownerUrl(running),
    superuserUrl: superuserUrl(running),
    isReused,
    ended,
    keepRunning: (note) => {
      keeping = keep(note);
    },
    stop,
  };
}

/** INT is PostgreSQL's fast shutdown. It is never killed: its backends would outlive it. */
function guardServer(pid) {
  return guardProcess(pid, { signal: 'INT', killAfterSeconds: null });
}

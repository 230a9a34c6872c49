import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { guardServer } from './guard.mjs';
import { stopServer } from './left-server.mjs';
import { ensureOwner } from './owner.mjs';
import { findPlace } from './place.mjs';
import { ensureCluster, runServer } from './server.mjs';
import { ownerUrl, readOrMakeSettings, superuserUrl, writeSettings } from './settings.mjs';

/**
 * Starts the cluster of a data folder, making it the first time.
 * @param {{ path: string }} folder from holdDataFolder: one process at a time
 * @param {{ isThrowaway?: boolean }} [options] throwaway: fast, and lost with the machine's power
 * @returns {Promise<{ ownerUrl: string, superuserUrl: string, isReused: boolean, stop: () => Promise<void> }>}
 */
export async function startCluster(folder, { isThrowaway = false } = {}) {
  const home = path.join(folder.path, 'postgres');
  mkdirSync(home, { recursive: true });
  const settings = readOrMakeSettings(home);
  const place = await findPlace(folder.path, home, settings);
  ensureCluster({ ...place, settings, isThrowaway });
  const logFile = path.join(folder.path, 'logs', 'postgres.log');
  const server = await runServer({ ...place, settings, isThrowaway, logFile });
  const guard = guardServer(server.pid);
  const stop = async () => {
    guard.dismiss();
    await stopServer(server.pid);
  };
  const running = { ...settings, port: server.port };
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
    isReused: server.isReused,
    stop,
  };
}

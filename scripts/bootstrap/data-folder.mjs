import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { takeLock, waitForEnding } from './lock.mjs';
import { StartProblem } from './problem.mjs';

/** A stop takes at most 15 s, in milliseconds with a margin. */
const STOPPED_WITHIN_MS = 20_000;

const lockOf = (dataDir) => path.join(dataDir, 'in-use.lock');

function makeFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    // On a read-only file system, Node reports a recursive mkdir as ENOENT and a plain one as what it is.
    makeFolder(path.dirname(folder));
    mkdirSync(folder);
  }
}

/**
 * Takes a data folder for this process; a killed holder does not stand in the way.
 * @param {string} dataDir
 * @returns {{ path: string, release: () => void, noteEnding: () => void }} noteEnding: a start that
 *   comes now waits until the folder is free. Throws StartProblem while another process holds it.
 */
export function holdDataFolder(dataDir) {
  makeFolder(dataDir);
  const lock = takeLock(lockOf(dataDir));
  if ('release' in lock) return { path: dataDir, ...lock };
  throw new StartProblem(
    `Another Tierwatch (process ${lock.heldBy}) is using the data folder ${dataDir}. Stop it, or give this one its own folder and port: TIERWATCH_DATA_DIR=/path/to/folder PORT=3001 npm start`,
  );
}

/**
 * Waits while another start that holds the data folder is stopping.
 * @param {string} dataDir
 * @param {() => void} onWait called once if there is something to wait for
 */
export function waitForStop(dataDir, onWait) {
  return waitForEnding(lockOf(dataDir), STOPPED_WITHIN_MS, onWait);
}

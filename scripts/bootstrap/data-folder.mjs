import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { takeLock } from './lock.mjs';
import { StartProblem } from './problem.mjs';

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
 * @returns {{ path: string, release: () => void }} Throws StartProblem while another process holds it.
 */
export function holdDataFolder(dataDir) {
  makeFolder(dataDir);
  const lock = takeLock(path.join(dataDir, 'in-use.lock'));
  if ('release' in lock) return { path: dataDir, release: lock.release };
  throw new StartProblem(
    `Another Tierwatch (process ${lock.heldBy}) is using the data folder ${dataDir}. Stop it, or give this one its own folder and port: TIERWATCH_DATA_DIR=/path/to/folder PORT=3001 npm start`,
  );
}

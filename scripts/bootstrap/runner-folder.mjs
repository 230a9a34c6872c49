/** Where the runner of this machine keeps its folders: in no git repository. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** @param {string} folder also one that doesn't exist yet */
export function isInRepository(folder) {
  if (existsSync(path.join(folder, '.git'))) return true;
  const above = path.dirname(folder);
  return above !== folder && isInRepository(above);
}

/**
 * Returns the runner's folder: in the data folder, or, if that is in a repository, such as the checkout,
 * in the account's folder for state. Agents work below it, and git looks for a repository in every
 * folder above.
 *
 * @param {string} dataDir
 * @param {Record<string, string | undefined>} env
 */
export function runnerFolder(dataDir, env) {
  const own = path.join(dataDir, 'runner');
  if (!isInRepository(dataDir)) return own;
  const state = env.XDG_STATE_HOME || path.join(env.HOME || os.homedir(), '.local', 'state');
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const elsewhere = [state, '/var/tmp'].map((place) => path.join(place, 'tierwatch', name));
  return elsewhere.find((folder) => !isInRepository(folder)) ?? own;
}

/**
 * Moves the runner's folder of an earlier version to its place, and leaves a link in the data folder:
 * records of attempts, and people, know it by its former path.
 *
 * @param {string} dataDir
 * @param {string} folder from runnerFolder
 */
export function moveRunnerFolder(dataDir, folder) {
  const former = path.join(dataDir, 'runner');
  if (folder === former) return;
  const found = lstatSync(former, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) rmSync(former);
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  if (found?.isDirectory() && !existsSync(folder)) move(former, folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(former)) symlinkSync(folder, former);
}

function move(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    if (error.code !== 'EXDEV') throw error;
    // On another disk. Complete, or not there: a copy that was interrupted is made again.
    const copy = `${to}.new`;
    rmSync(copy, { recursive: true, force: true });
    cpSync(from, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    renameSync(copy, to);
    rmSync(from, { recursive: true, force: true });
  }
}

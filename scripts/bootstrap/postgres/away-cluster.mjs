import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { StartProblem } from '../problem.mjs';
import { stopLeftServer } from './left-server.mjs';

const isCluster = (folder) => existsSync(path.join(folder, 'PG_VERSION'));

/**
 * Moves a cluster into its data folder. Until November 2026, a start as root put it below /var/tmp
 * where other accounts couldn't enter the data folder, and copies of that folder held no database.
 * @param {{ away: string, data: string }} folders
 * @throws {StartProblem} if there is one in both
 */
export async function bringHome({ away, data }) {
  if (!isCluster(away)) return;
  if (isCluster(data)) {
    throw new StartProblem(
      `There are two databases for this data folder: ${data} and ${away}. Move away the one you don’t need, and start again.`,
    );
  }
  await stopLeftServer(away);
  const staging = `${data}.new`;
  rmSync(staging, { recursive: true, force: true });
  rmSync(data, { recursive: true, force: true });
  try {
    renameSync(away, data);
  } catch (error) {
    if (error.code !== 'EXDEV') throw error;
    cpSync(away, staging, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    // Newer versions of Node don't copy it, and PostgreSQL doesn't start with another one.
    chmodSync(staging, 0o700);
    spawnSync('sync');
    renameSync(staging, data);
    rmSync(away, { recursive: true, force: true });
  }
}

/**
 * Deletes folders that an agent could write to, without trusting what is in them: they can be nested
 * more deeply than Node can follow, hold more files than the runner may wait for, and forbid reading.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { logger } from '@/lib/platform/logger';

/** Neither follows links inside the folder. */
const DELETE = 'chmod -R u+rwX -- "$1" 2>/dev/null; rm -rf -- "$1"';

/**
 * Moves a folder out of the way at once, and deletes it in a process of its own. Never throws: what
 * can't be deleted stays in `trash`, for the next start.
 *
 * @param runnerDir the runner's own folder, on the same disk
 */
export function discardFolder(runnerDir: string, folder: string): void {
  try {
    if (!existsSync(folder)) return;
    const trash = path.join(runnerDir, 'trash');
    mkdirSync(trash, { recursive: true, mode: 0o700 });
    const moved = path.join(trash, randomUUID());
    renameSync(folder, moved);
    deleteLater(moved);
  } catch (error) {
    logger.warn({ folder, error: String(error) }, 'folder not deleted');
  }
}

/** Deletes what an earlier process of this runner has left in `trash`. */
export function emptyTrash(runnerDir: string): void {
  discardFolder(runnerDir, path.join(runnerDir, 'attempts'));
  const trash = path.join(runnerDir, 'trash');
  if (existsSync(trash)) deleteLater(trash);
}

function deleteLater(folder: string): void {
  const child = spawn('/bin/sh', ['-c', DELETE, 'delete', folder], {
    stdio: 'ignore',
    detached: true,
    cwd: '/',
  });
  child.on('error', (error) => logger.warn({ folder, error: String(error) }, 'folder not deleted'));
  child.unref();
}

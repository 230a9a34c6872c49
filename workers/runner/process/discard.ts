/**
 * Deletes folders that an agent could write to, without trusting what is in them: they can be nested
 * more deeply than Node can follow, hold more files than the runner may wait for, and forbid reading.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { logger } from '@/lib/platform/logger';

/** Neither follows links inside the folders. */
const DELETE = 'chmod -R u+rwX -- "$@" 2>/dev/null; rm -rf -- "$@"';

/** Starting a process takes milliseconds that the next tier would wait for. */
const COLLECT_MS = 1_000;

/** Moved away, and to be deleted together. */
let waiting: string[] = [];

/**
 * Moves a folder out of the way at once, and has it deleted soon, in a process of its own. Never
 * throws: what isn't deleted stays in `trash`, for the next start.
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

/** Deletes what an earlier process of this runner has left: in `trash`, and of its attempts. */
export function emptyTrash(runnerDir: string): void {
  const trash = path.join(runnerDir, 'trash');
  const left = existsSync(trash) ? readdirSync(trash) : [];
  for (const name of left) deleteLater(path.join(trash, name));
  discardFolder(runnerDir, path.join(runnerDir, 'attempts'));
}

function deleteLater(folder: string): void {
  waiting.push(folder);
  if (waiting.length === 1) setTimeout(deleteWaiting, COLLECT_MS).unref();
}

function deleteWaiting(): void {
  const folders = waiting;
  waiting = [];
  const child = spawn('/bin/sh', ['-c', DELETE, 'delete', ...folders], {
    stdio: 'ignore',
    detached: true,
    cwd: '/',
  });
  child.on('error', (error) => logger.warn({ error: String(error) }, 'folders not deleted'));
  child.unref();
}

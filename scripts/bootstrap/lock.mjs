import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, startMark } from './process-identity.mjs';

function readHolder(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Takes a lock file for this process. The lock of a process that was killed counts for nothing.
 * @param {string} file
 * @returns {{ release: () => void, noteEnding: () => void } | { heldBy: number }} noteEnding: tells
 *   others that the lock will be released soon
 */
export function takeLock(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  const mine = `${file}.${process.pid}`;
  try {
    writeFileSync(mine, JSON.stringify({ pid: process.pid, mark: startMark(process.pid) }));
    for (;;) {
      try {
        // A link appears complete or not at all, so nobody ever reads half a lock.
        linkSync(mine, file);
        return { release: () => releaseLock(file), noteEnding: () => noteEnding(file) };
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = readHolder(file);
      if (holder && isSameProcess(holder.pid, holder.mark)) return { heldBy: holder.pid };
      discardStale(file, holder);
    }
  } catch (error) {
    // A failed write, as on a full disk, doesn't name its file.
    error.path ??= file;
    throw error;
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Waits while the holder of a lock is about to release it, as its `noteEnding` says.
 * @param {() => void} onWait called once if there is something to wait for
 */
export async function waitForEnding(file, withinMs, onWait) {
  const isEnding = () => {
    const holder = readHolder(file);
    return holder?.isEnding === true && isSameProcess(holder.pid, holder.mark);
  };
  if (!isEnding()) return;
  onWait();
  const deadline = performance.now() + withinMs;
  while (isEnding() && performance.now() < deadline) await sleep(50);
}

function noteEnding(file) {
  const holder = readHolder(file);
  if (holder?.pid !== process.pid) return;
  const staging = `${file}.${process.pid}`;
  try {
    writeFileSync(staging, JSON.stringify({ ...holder, isEnding: true }));
    renameSync(staging, file);
  } catch {
    // On a full disk others are refused instead of waiting.
    rmSync(staging, { force: true });
  }
}

function releaseLock(file) {
  if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
}

function discardStale(file, holder) {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  // Between reading and renaming, another start may have replaced the stale lock by its own.
  const moved = readHolder(aside);
  const isOther = moved && (moved.pid !== holder?.pid || moved.mark !== holder?.mark);
  if (isOther && isSameProcess(moved.pid, moved.mark)) {
    try {
      linkSync(aside, file);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  rmSync(aside, { force: true });
}

/** Runs work under a lock file, waiting for whoever holds it. */
export async function withLock(file, work, onWait = () => {}) {
  let lock = takeLock(file);
  if ('heldBy' in lock) onWait(lock.heldBy);
  while ('heldBy' in lock) {
    await sleep(100);
    lock = takeLock(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

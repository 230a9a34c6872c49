/** Every process of the control plane watches all of them, itself included: any one is enough. */

import { statfs } from 'node:fs/promises';
import { inSystemTransaction } from '@/lib/platform/db/global-db';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import { listOpenProblems, lockWatchdog, storeChanges } from './data';
import { readFacts, sampleQueues } from './facts-data';
import { judge, type WatchFacts } from './judge';
import { notifyOperator } from './notify-operator';
import { planChanges } from './plan-changes';

/** How often each process watches, in milliseconds. */
export const WATCH_EVERY_MS = 15_000;

export interface Watcher {
  /** The kind of process that watches. */
  component: 'web' | 'worker';
  /** When it began to. */
  since: Date;
}

const REASON = 'problems of the installation';

/**
 * Measures, compares, and stores which problems begin and end. Does nothing while another process is at it.
 *
 * @returns how many problems are new, and how many are over
 * @throws Error while PostgreSQL is away
 */
export async function watch(
  watcher: Watcher,
  now = new Date(),
): Promise<{ opened: number; ended: number }> {
  const disk = await measureDisk();
  return inSystemTransaction(REASON, async (db) => {
    if (!(await lockWatchdog(db))) return { opened: 0, ended: 0 };
    const stored = await readFacts(db, now);
    const facts = {
      ...stored,
      now,
      watcher: watcher.component,
      watchingSince: watcher.since,
      disk,
    };
    const changes = planChanges(await listOpenProblems(db), judge(facts), now);
    await storeChanges(db, changes, now);
    await sampleQueues(db, stored.queues, now);
    for (const { component, kind, subject, figures } of changes.opened) {
      logger.error({ component, kind, subject, figures }, 'problem of the installation');
    }
    return { opened: changes.opened.length, ended: changes.ended.length };
  });
}

/** Returns what the watchdog judges, as measured now. Throws while PostgreSQL is away. */
export function measure(watcher: Watcher, now: Date): Promise<WatchFacts> {
  return inSystemTransaction(REASON, async (db) => ({
    ...(await readFacts(db, now)),
    now,
    watcher: watcher.component,
    watchingSince: watcher.since,
    disk: null,
  }));
}

/** Null if the data folder isn't there, as in a container without one. */
async function measureDisk(): Promise<WatchFacts['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(env().dataDir);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/**
 * Watches from now on, and sends the operator what is new. A mail server that is slow delays messages, and
 * never the watching.
 *
 * @param everyMs how often
 * @returns a function that ends it
 */
export function startWatch(component: Watcher['component'], everyMs = WATCH_EVERY_MS): () => void {
  const watcher = { component, since: new Date() };
  const ends = [
    every(everyMs, 'installation not watched', () => watch(watcher)),
    every(everyMs, 'operator not notified', () => notifyOperator()),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Repeats work that is left out while it still runs. @returns a function that ends it */
function every(ms: number, failure: string, work: () => Promise<unknown>): () => void {
  let isBusy = false;
  const once = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await work();
    } catch (error) {
      logger.warn({ error: String(error) }, failure);
    } finally {
      isBusy = false;
    }
  };
  const timer = setInterval(() => void once(), ms);
  timer.unref();
  return () => clearInterval(timer);
}

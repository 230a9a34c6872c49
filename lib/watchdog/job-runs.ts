/** Records when recurring jobs end, so that a missed slot is noticed. */

import { inSystemTransaction } from '@/lib/platform/db/global-db';
import { logger } from '@/lib/platform/logger';
import { storeJobEnd, storeJobs } from './facts-data';

/** Jobs of every second are recorded less often: nobody judges them to the second. */
const RECORDED_EVERY_MS = 5_000;

/** When each was last recorded by this process, in milliseconds since 1970, successes and failures apart. */
const recorded = new Map<string, number>();

/** Stores which jobs recur, and at which interval. For the start of a worker. */
export async function registerJobs(
  jobs: readonly { name: string; everyMs: number }[],
  now = new Date(),
): Promise<void> {
  await inSystemTransaction('recurring jobs of the installation', (db) => storeJobs(db, jobs, now));
}

/** Records that a recurring job ended, at most every 5 s. Never rejects: the job itself has ended. */
export async function recordJobEnd(
  name: string,
  hasFailed: boolean,
  now = new Date(),
): Promise<void> {
  const key = `${name} ${hasFailed}`;
  if (now.getTime() - (recorded.get(key) ?? 0) < RECORDED_EVERY_MS) return;
  recorded.set(key, now.getTime());
  try {
    await storeJobEnd(name, hasFailed, now);
  } catch (error) {
    recorded.delete(key);
    logger.warn({ job: name, error: String(error) }, 'end of a job not recorded');
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { daysBefore, deleteInBatches } from '@/lib/platform/db/batches';
import { AppError } from '@/lib/platform/errors';
import { idSince } from '@/lib/platform/ids';
import { logger } from '@/lib/platform/logger';
import { DEFAULT_CHECKPOINTS, MIN_RETENTION_DAYS } from '@/lib/projects/checkpoint-settings';
import { deleteCheckpoints } from './checkpoints/data';
import {
  countUnplacedEvents,
  deleteSessionEvents,
  dropEventPartition,
  isLockTimeout,
  listLogRetentions,
  listPastPartitions,
  makeEventPartitions,
} from './events/partitions-data';
import { deleteExpired, forgetRemoval, listRemovals } from './seals/data';
import { configuredS3 } from './seals/storage';

/** Days that an organization keeps the logs of its sessions for, until it chooses another number. */
export const LOG_RETENTION_DAYS = 30;

/** Partitions of session events are made this long before they are needed. */
const MADE_AHEAD_DAYS = 28;
/** Waits between attempts to lock the events, in milliseconds; then the next sweep tries again. */
const LOCK_RETRIES_MS = [500, 1_000, 2_000];
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Deletes session events, checkpoints and sealed conversations whose retention has passed. */
export async function pruneSessions(now = new Date()): Promise<void> {
  await makePartitionsAhead(now);
  await pruneSessionEvents(now);
  await reportUnplacedEvents();
  const retention = {
    leastDays: MIN_RETENTION_DAYS,
    defaultDays: DEFAULT_CHECKPOINTS.retentionDays,
  };
  await deleteInBatches((limit) => deleteCheckpoints(now, retention, limit));
  await pruneSeals(now);
}

/**
 * Deletes the logs of sessions that ended before their organization's retention.
 *
 * 1. Partitions that are past every organization's retention are dropped, whatever their size.
 * 2. Organizations with a shorter retention than the longest: their events are deleted in batches.
 * 3. Those with the longest one wait up to a week for their partition, unless it is a larger one, or
 *    a session that has not ended holds it.
 */
async function pruneSessionEvents(now: Date): Promise<void> {
  const retentions = await listLogRetentions();
  const longest = Math.max(...retentions.map(({ days }) => days), 0);
  if (longest === 0) return;
  const busyBelow = await dropPastPartitions(now, daysBefore(now, longest));
  for (const { organizationId, days } of retentions) {
    const endedBefore = daysBefore(now, days);
    const startedBefore = days < longest ? endedBefore : startOfWeek(endedBefore);
    const past = {
      organizationId,
      // Events of a partition that can be dropped later are not deleted one by one.
      fromId: busyBelow ?? LOWEST_ID,
      belowId: idSince(startedBefore),
      endedBefore,
    };
    if (past.fromId < past.belowId) {
      await deleteInBatches((limit) => deleteSessionEvents(past, limit));
    }
  }
}

/** Returns the id below which partitions stay, because a transaction uses session events. */
async function dropPastPartitions(now: Date, endedBefore: Date): Promise<string | null> {
  const past = await listPastPartitions(endedBefore);
  for (const { name } of past) {
    const isDropped = await withoutQueueing(() => dropEventPartition(name, now));
    logger.info({ partition: name, isDropped }, 'retention: partition of session events');
    // All of them need the same lock.
    if (isDropped === 'busy') return past.at(-1)?.belowId ?? null;
  }
  return null;
}

async function makePartitionsAhead(now: Date): Promise<void> {
  const made = await withoutQueueing(() =>
    makeEventPartitions(now, daysBefore(now, -MADE_AHEAD_DAYS)),
  );
  if (made !== 0) logger.info({ made }, 'partitions of session events made ahead');
  // Their week had no partition when they were stored, for example since no worker ran for a month.
  const weeks = (await countUnplacedEvents()).map(({ week }) => week);
  const [from, to] = [daysBefore(now, MADE_AHEAD_DAYS), daysBefore(now, -MADE_AHEAD_DAYS)];
  for (const week of weeks.filter((each) => each >= from && each <= to)) {
    await withoutQueueing(() => makeEventPartitions(week, daysBefore(week, -1)));
  }
}

async function reportUnplacedEvents(): Promise<void> {
  const weeks = await countUnplacedEvents();
  if (weeks.length === 0) return;
  const events = weeks.reduce((sum, week) => sum + Number(week.events), 0);
  logger.error(
    { events, weeks: weeks.slice(0, 10).map(({ week }) => week.toISOString()) },
    'session events are in the default partition; see Operations, Retention',
  );
}

/**
 * Repeats what needs a lock on all events. Each attempt waits for 200 ms at most: while it waits,
 * everyone who reads or writes events waits behind it.
 */
async function withoutQueueing<Result>(work: () => Promise<Result>): Promise<Result | 'busy'> {
  for (const waitMs of [...LOCK_RETRIES_MS, null]) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      if (waitMs !== null) await delay(waitMs);
    }
  }
  return 'busy';
}

/** Monday 00:00 UTC, where a partition begins. */
function startOfWeek(at: Date): Date {
  const day = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
  return daysBefore(day, (day.getUTCDay() + 6) % 7);
}

/** An upload takes minutes at most, also to a slow storage. */
const UPLOAD_MS = 3_600_000;
const REMOVALS = 1_000;

/**
 * Deletes seals that have expired, what interrupted uploads have left, and objects in S3 whose seals
 * are gone. What S3 doesn't delete now stays for the next sweep.
 */
export async function pruneSeals(now = new Date()): Promise<void> {
  const begunBefore = new Date(now.getTime() - UPLOAD_MS);
  await deleteInBatches((limit) => deleteExpired(now, begunBefore, limit));
  const s3 = configuredS3();
  if (s3 === null) return;
  for (const sealId of await listRemovals(REMOVALS)) {
    try {
      await s3.remove(sealId);
    } catch (error) {
      if (error instanceof AppError) return;
      throw error;
    }
    await forgetRemoval(sealId);
  }
}

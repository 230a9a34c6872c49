import { queueOf } from '@/lib/fleet/queues';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { AttemptRow } from '../attempt/data';
import { HOST_WAIT_SECONDS } from '../continuation/decide';
import type { FollowUp } from '../follow-up';
import { findFinalRefusal } from './data';

/** A decision just before the end still leaves time to use it. */
const LEAST_SECONDS_TO_USE = 600;

/** Returns the time until which an approval can be used at least. */
export function soonestEnd(now: Date): Date {
  return new Date(now.getTime() + LEAST_SECONDS_TO_USE * 1_000);
}

/**
 * Lets the attempt that waits for decisions be claimed, once nothing is pending that it waits for, or one
 * of them ends the chain. A process that holds its command asks by itself.
 */
export async function wakeDecided(
  db: TenantDb,
  { sessionId, chainId }: { sessionId: string; chainId: string },
  live: AttemptRow,
  now: Date,
): Promise<FollowUp['attempt']> {
  if (live.status !== 'queued') return null;
  const own = { sessionId, granteeId: live.id };
  const isPending = (await db.approval.count({ where: { ...own, status: 'pending' } })) > 0;
  if (isPending && (await findFinalRefusal(db, sessionId)) === null) return null;
  // Some may have waited for the decisions about others.
  const soonest = soonestEnd(now);
  await db.approval.updateMany({
    where: { ...own, status: 'approved', usedAt: null, expiresAt: { lt: soonest } },
    data: { expiresAt: soonest },
  });
  const waitUntil = new Date(now.getTime() + HOST_WAIT_SECONDS * 1_000);
  await db.attempt.updateMany({
    where: { id: live.id },
    data: { notBefore: null, waitUntil, enqueuedAt: now },
  });
  const waiting = { statusText: 'Decided. Waiting for a runner.', waitReason: 'runner' };
  await db.session.updateMany({ where: { id: sessionId }, data: waiting });
  await db.chain.updateMany({ where: { id: chainId, status: 'waiting' }, data: waiting });
  return { queue: queueOf(live), attemptId: live.id };
}

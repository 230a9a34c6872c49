import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/db/global-db';
import { enqueue, ringRunnerQueue } from '@/lib/queue/enqueue';
import { settleAttemptJob } from '@/lib/queue/jobs';
import { queueOf } from '../data';

/** A row that was rung for this recently has its job on the way. */
const QUIET_SECONDS = 5;
const BATCH = 500;

interface WaitingRow {
  id: string;
  organization_id: string;
  pool_id: string;
  required_runner_id: string | null;
}

/**
 * Rings again for rows whose doorbell was lost: attempts that nobody claims, and results that
 * nobody settles. Rings carry the row's id, so one too many changes nothing.
 *
 * @returns how many doorbells were rung
 */
export async function ringDoorbells(now = new Date()): Promise<number> {
  const db = systemDb('lost doorbells of every organization');
  await releaseFromHosts(now);
  const quiet = new Date(now.getTime() - QUIET_SECONDS * 1_000);
  const waiting = await db.$queryRaw<WaitingRow[]>(Prisma.sql`
    update attempt set rung_at = ${now}::timestamptz where id in (
      select a.id from attempt a where a.status = 'queued'
        and a.queued_at < ${quiet}::timestamptz and (a.rung_at is null or a.rung_at < ${quiet}::timestamptz)
        and (a.not_before is null or a.not_before <= ${now}::timestamptz)
      order by a.rung_at nulls first, a.queued_at limit ${BATCH} for update skip locked)
    returning id, organization_id, pool_id, required_runner_id`);
  for (const row of waiting) {
    await ringRunnerQueue(
      queueOf({ poolId: row.pool_id, requiredRunnerId: row.required_runner_id }),
      row.id,
    );
  }
  const unsettled = await db.attempt.findMany({
    where: { result: { not: Prisma.AnyNull }, settledAt: null, resultAt: { lt: quiet } },
    select: { id: true, organizationId: true },
    take: BATCH,
  });
  for (const row of unsettled) {
    await enqueue(settleAttemptJob, { organizationId: row.organizationId, attemptId: row.id });
  }
  return waiting.length + unsettled.length;
}

/** A start that waited long enough for the host of its conversation goes to the whole pool. */
async function releaseFromHosts(now: Date): Promise<void> {
  await systemDb('starts that wait for a host').$executeRaw(Prisma.sql`
    update attempt a set required_runner_id = null, rung_at = null
    from runner r
    where a.status = 'queued' and a.required_runner_id = r.id and a.organization_id = r.organization_id
      and (a.wait_until < ${now}::timestamptz or r.revoked_at is not null)
      and (r.last_seen_at is null or r.last_seen_at < ${new Date(now.getTime() - 60_000)}::timestamptz or r.revoked_at is not null or r.draining_at is not null)`);
}

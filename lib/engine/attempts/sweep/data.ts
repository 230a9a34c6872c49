/** Rows of every organization that something has to be done about. */
import { Prisma } from '@/generated/prisma/client';
import { RUNNER_API } from '@/lib/fleet/api-presence';
import { systemDb } from '@/lib/platform/db/global-db';
import { HOST_SILENT_SECONDS } from './limits';

const LEASES = 200;
const DOORBELLS = 500;
/** Since when the runner API has answered without a gap, and when it last did; null: never yet. */
export function findApiPresence(): Promise<{ continuousSince: Date; lastAt: Date } | null> {
  return systemDb('whether leases may expire').processHeartbeat.findUnique({
    where: { name: RUNNER_API },
  });
}

export interface SweptAttempt {
  id: string;
  organizationId: string;
}

/** Attempts whose runner is silent. */
export function listExpiredLeases(now: Date): Promise<SweptAttempt[]> {
  return systemDb('leases of every organization').$queryRaw(
    Prisma.sql`select id, organization_id as "organizationId" from attempt
      where status in ('claimed', 'running', 'stopping') and lease_expires_at < ${now}::timestamptz and result is null
        and (settle_retry_at is null or settle_retry_at <= ${now}::timestamptz)
      limit ${LEASES}`,
  );
}

export interface WaitingAttempt extends SweptAttempt {
  poolId: string;
  requiredRunnerId: string | null;
}

/** Attempts that nobody claims and that were not rung for since `quiet`: they count as rung now. */
export function takeUnclaimed(quiet: Date, now: Date): Promise<WaitingAttempt[]> {
  return systemDb('lost doorbells of every organization').$queryRaw(
    Prisma.sql`update attempt set rung_at = ${now}::timestamptz where id in (
        select a.id from attempt a where a.status = 'queued'
          and a.queued_at < ${quiet}::timestamptz and (a.rung_at is null or a.rung_at < ${quiet}::timestamptz)
          and (a.not_before is null or a.not_before <= ${now}::timestamptz)
        order by a.rung_at nulls first, a.queued_at limit ${DOORBELLS} for update skip locked)
      returning id, organization_id as "organizationId", pool_id as "poolId", required_runner_id as "requiredRunnerId"`,
  );
}

/** Lists results that nobody has settled since `quiet`, without those whose next try is not due. */
export function listUnsettled(quiet: Date, now: Date): Promise<SweptAttempt[]> {
  return systemDb('results of every organization').attempt.findMany({
    where: {
      result: { not: Prisma.AnyNull },
      settledAt: null,
      resultAt: { lt: quiet },
      OR: [{ settleRetryAt: null }, { settleRetryAt: { lte: now } }],
    },
    select: { id: true, organizationId: true },
    take: DOORBELLS,
  });
}

/** A start that waited long enough for the host of its conversation goes to the whole pool. */
export async function releaseFromHosts(now: Date): Promise<void> {
  const silent = new Date(now.getTime() - HOST_SILENT_SECONDS * 1_000);
  await systemDb('starts that wait for a host').$executeRaw(
    Prisma.sql`update attempt a set required_runner_id = null, rung_at = null
      from runner r
      where a.status = 'queued' and a.required_runner_id = r.id and a.organization_id = r.organization_id
        and (a.wait_until < ${now}::timestamptz or r.revoked_at is not null)
        and (r.last_seen_at is null or r.last_seen_at < ${silent}::timestamptz or r.revoked_at is not null or r.draining_at is not null)`,
  );
}

import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { OFFLINE_AFTER_SECONDS, RUNNER_API, STALE_DAYS } from './status';

const DAY_MS = 86_400_000;

/** Returns since when the runner API has answered without a gap; null if it never has. */
export async function findPresence(): Promise<{ continuousSince: Date; lastAt: Date } | null> {
  return systemDb('presence of the runner API').processHeartbeat.findUnique({
    where: { name: RUNNER_API },
  });
}

/** Returns the offline runners of every organization that have not been reported yet. */
export async function listSilentRunners(
  now: Date,
): Promise<{ id: string; organizationId: string }[]> {
  const silentSince = new Date(now.getTime() - OFFLINE_AFTER_SECONDS * 1_000);
  const rows = await systemDb('silent runners').$queryRaw<
    { id: string; organization_id: string }[]
  >(
    Prisma.sql`select id, organization_id from runner
      where revoked_at is null and last_seen_at < ${silentSince}::timestamptz
        and last_seen_at > ${new Date(now.getTime() - STALE_DAYS * DAY_MS)}::timestamptz
        and (offline_notified_at is null or offline_notified_at < last_seen_at)
      limit 200`,
  );
  return rows.map((row) => ({ id: row.id, organizationId: row.organization_id }));
}

/**
 * Marks an offline runner as reported. Returns null if it is back, or if another process reports
 * it.
 */
export async function claimSilence(db: TenantDb, runnerId: string, now: Date) {
  const silentSince = new Date(now.getTime() - OFFLINE_AFTER_SECONDS * 1_000);
  const runner = await db.runner.findFirst({
    where: { id: runnerId, lastSeenAt: { lt: silentSince } },
    include: { pool: true },
  });
  if (!runner?.lastSeenAt) return null;
  const { count } = await db.runner.updateMany({
    where: {
      id: runnerId,
      lastSeenAt: runner.lastSeenAt,
      offlineNotifiedAt: runner.offlineNotifiedAt,
    },
    data: { offlineNotifiedAt: now },
  });
  return count === 0 ? null : { ...runner, lastSeenAt: runner.lastSeenAt };
}

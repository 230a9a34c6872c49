import { OFFLINE_AFTER_SECONDS } from '@/lib/fleet/fleet/status';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** More than a few who hear of one attempt only ask in vain. */
const MOST_RUNNERS = 10;

/** Online runners of its pool that may run a queued attempt's tier, with the latest contact first. */
export async function listAbleRunners(
  db: TenantDb,
  attemptId: string,
  now: Date,
): Promise<string[]> {
  const attempt = await db.attempt.findFirst({
    where: { id: attemptId, status: 'queued' },
    select: { poolId: true, purpose: true, session: { select: { tier: true } } },
  });
  if (!attempt) return [];
  const runners = await db.runner.findMany({
    where: {
      poolId: attempt.poolId,
      allowedTiers: { has: attempt.session.tier },
      lastSeenAt: { gt: new Date(now.getTime() - OFFLINE_AFTER_SECONDS * 1_000) },
      drainingAt: null,
      pausedAt: null,
      revokedAt: null,
      ...(attempt.purpose === 'ask' ? { posture: { path: ['canAsk'], equals: true } } : {}),
    },
    orderBy: { lastSeenAt: 'desc' },
    take: MOST_RUNNERS,
    select: { id: true },
  });
  return runners.map((runner) => runner.id);
}

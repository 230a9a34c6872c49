import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { enqueueAll } from '@/lib/platform/queue/pending-jobs';
import { rowByRow } from '@/lib/platform/row-by-row';
import { runnerWentOffline } from './domain-events';
import { claimSilence, findPresence, listSilentRunners } from './offline-data';
import { OFFLINE_AFTER_SECONDS } from './status';

/**
 * Publishes an event for every runner that went offline, once per offline period. While the runner
 * API itself was down, no runner counts as offline.
 *
 * @returns how many runners were reported
 */
export async function reportOfflineRunners(now = new Date()): Promise<number> {
  const presence = await findPresence();
  const mayJudge =
    presence !== null && isOlder(presence.continuousSince, now) && !isOlder(presence.lastAt, now);
  if (!mayJudge) return 0;
  const silent = await listSilentRunners(now);
  return rowByRow('silent runners', silent, ({ organizationId, id }) =>
    reportOffline(scopeOfSystem(organizationId, 'Runner watch'), id, now),
  );
}

function isOlder(at: Date, now: Date): boolean {
  return now.getTime() - at.getTime() > OFFLINE_AFTER_SECONDS * 1_000;
}

async function reportOffline(scope: TenantScope, runnerId: string, now: Date): Promise<void> {
  const jobs = await inTransaction(scope, async (db) => {
    const runner = await claimSilence(db, runnerId, now);
    if (!runner) return [];
    const { name, pool, lastSeenAt } = runner;
    const silence = { runnerId, name, pool: pool.name, lastSeenAt };
    return publish(db, scope, runnerWentOffline, silence, now);
  });
  await enqueueAll(jobs);
}

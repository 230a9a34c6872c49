import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { PRESENCE_GAP_SECONDS, RUNNER_API, recordPresence } from '@/lib/platform/health';
import { logger } from '@/lib/platform/logger';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { claimSilence, findPresence, listSilentRunners } from './data';
import { runnerWentOffline } from './domain-events';
import { OFFLINE_AFTER_SECONDS } from './status';

/**
 * Publishes an event for every runner that went offline, once per offline period. While the runner
 * API itself was down, no runner counts as offline.
 *
 * @returns how many runners were reported
 */
export async function reportOfflineRunners(now = new Date()): Promise<number> {
  if (!(await hasAnsweredFor(OFFLINE_AFTER_SECONDS, now))) return 0;
  const silent = await listSilentRunners(now);
  return forEachRowIsolated('silent runners', silent, ({ organizationId, id }) =>
    reportOffline(scopeOfSystem(organizationId, 'Runner watch'), id, now),
  );
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

/** Records every few seconds that this process serves the runner API. */
export function startPresence(): void {
  const beat = () => {
    recordPresence(RUNNER_API, PRESENCE_GAP_SECONDS).catch((error) =>
      logger.warn({ error: String(error) }, 'runner API heartbeat failed'),
    );
  };
  beat();
  setInterval(beat, PRESENCE_EVERY_SECONDS * 1_000).unref();
}

/** How often a web process records its presence, in seconds. */
export const PRESENCE_EVERY_SECONDS = 5;

/**
 * Returns whether the runner API has answered without a gap for this long, and still does. Only then does
 * the absence of a message say something about a runner.
 */
export async function hasAnsweredFor(seconds: number, now: Date): Promise<boolean> {
  const presence = await findPresence(RUNNER_API);
  const isOlder = (at: Date) => now.getTime() - at.getTime() > seconds * 1_000;
  return presence !== null && isOlder(presence.continuousSince) && !isOlder(presence.lastAt);
}

/** The presence is recorded every few seconds; one that is older means that nobody answers now. */
const FRESH_MS = 2 * PRESENCE_GAP_SECONDS * 1_000;

/** Returns since when the web processes have answered without a gap; null if none does now. */
export async function answeringSince(now: Date): Promise<Date | null> {
  const presence = await findPresence(RUNNER_API);
  if (presence === null) return null;
  const isFresh = now.getTime() - presence.lastAt.getTime() <= FRESH_MS;
  return isFresh ? presence.continuousSince : null;
}

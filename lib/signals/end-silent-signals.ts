import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import { publishChanges } from './process-requests';
import { listSilentSince, saveOccurrences } from './signal-data';

/**
 * Marks the firing alerts of a locked source stale that nothing was received about since a time, and
 * publishes it.
 *
 * @param since null: all that fire
 */
export async function endSilentSignals(
  db: TenantDb,
  scope: TenantScope,
  source: { sourceId: string; projectId: string },
  since: Date | null,
  now: Date,
): Promise<{ count: number; jobs: PendingJob[] }> {
  const { organizationId } = scope;
  const silent = await listSilentSince(db, source.sourceId, since);
  if (silent.length === 0) return { count: 0, jobs: [] };
  const updated = silent.map((each) => ({ ...each, status: 'stale' as const, endedAt: now }));
  await saveOccurrences(db, { organizationId, ...source }, { updated, inserted: [] });
  const changes = updated.map(({ id, serviceId, status, kind, severity, title }) => ({
    signalId: id,
    serviceId,
    status,
    kind,
    isNew: false,
    isReopened: false,
    severity,
    title,
    at: now,
  }));
  return {
    count: updated.length,
    jobs: await publishChanges(db, scope, source.projectId, { changes }, now),
  };
}

import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { daysBefore, deleteInBatches, forEachRowIsolated } from '@/lib/platform/db/batches';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { endSilentSignals } from './end-silent-signals';
import { processSource } from './process-requests';
import { deleteOldRequests, listSourcesWithWork } from './request-data';
import { deleteOldSignals, listSourcesWithStale } from './signal-data';
import { lockSource } from './source-data';

/** Days that requests and ended alerts are kept. */
const REQUEST_RETENTION_DAYS = 14;
const SIGNAL_RETENTION_DAYS = 400;

/**
 * Processes what the process that accepted it has left, as when it was killed, and marks alerts
 * stale whose sources have stopped reporting about them.
 */
export async function sweepSignals(now = new Date()): Promise<void> {
  await forEachRowIsolated('alerts', await listSourcesWithWork(now), (source) =>
    processSource(scopeOfSystem(source.organizationId, 'Alerts'), source.id, now),
  );
  await endStaleSignals(now);
}

/** @returns how many sources had alerts that are stale now */
export async function endStaleSignals(now = new Date()): Promise<number> {
  const due = await listSourcesWithStale(now);
  return forEachRowIsolated('stale alerts', due, async ({ id, organizationId }) => {
    const scope = scopeOfSystem(organizationId, 'Alerts');
    const { jobs } = await inTransaction(scope, async (db) => {
      const source = await lockSource(db, id);
      if (!source) return { count: 0, jobs: [] };
      const since = new Date(now.getTime() - source.staleSeconds * 1_000);
      const at = { sourceId: id, projectId: source.projectId };
      return endSilentSignals(db, scope, at, since, now);
    });
    await enqueueAll(jobs);
  });
}

/** Deletes requests and ended alerts whose retention has passed. */
export async function pruneSignals(now = new Date()): Promise<void> {
  await deleteInBatches((limit) =>
    deleteOldRequests(daysBefore(now, REQUEST_RETENTION_DAYS), limit),
  );
  await deleteInBatches((limit) => deleteOldSignals(daysBefore(now, SIGNAL_RETENTION_DAYS), limit));
}

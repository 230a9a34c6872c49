/** Takes what happens to services into incidents, inside of the caller's transaction. */

import type { ServiceChange } from '@/lib/monitoring/domain-events';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import type { IncidentEvent } from './events/registry';
import { openByFailure } from './events/service-failing';
import { openBatch } from './incident-batch';

/** Returns what a change of a service means to an incident. */
function eventOfChange(change: ServiceChange, now: Date): IncidentEvent {
  const { serviceId, name, status, failingSince, error } = change;
  if (status === 'healthy') return { kind: 'service_recovered', serviceId };
  if (status === 'unknown') return { kind: 'service_unknown', serviceId };
  const since = (failingSince ?? now).toISOString();
  return { kind: 'service_failing', serviceId, name, status, failingSince: since, error };
}

/** Takes changed services into the incidents of their project. @returns jobs to enqueue after the commit */
export async function recordServiceChanges(
  db: TenantDb,
  scope: TenantScope,
  projectId: string,
  changes: readonly ServiceChange[],
  now: Date,
): Promise<PendingJob[]> {
  const batch = await openBatch(db, scope, projectId, now);
  await batch.load(changes.map(({ serviceId }) => serviceId));
  const openedIds: string[] = [];
  for (const change of changes) {
    const event = eventOfChange(change, now);
    if (event.kind !== 'service_failing') {
      for (const { id } of batch.unsettled(change.serviceId)) await batch.record(id, event);
      continue;
    }
    const { joined, earlierId } = batch.chooseForFailure(batch.active(), event);
    if (joined) {
      await batch.record(joined.id, event);
      continue;
    }
    const { incident } = openByFailure('check', event, now);
    openedIds.push(await batch.open(incident, event, earlierId));
  }
  // After the rest, so that people are notified of all services that fail together.
  for (const id of openedIds) await batch.announceOpening(id);
  return batch.finish();
}

/**
 * Takes services that nothing checks from now on out of the incidents of their project.
 *
 * @param serviceIds UUIDs
 * @returns jobs to enqueue after the commit
 */
export async function recordRemovals(
  db: TenantDb,
  scope: TenantScope,
  { projectId, serviceIds }: { projectId: string; serviceIds: readonly string[] },
  now: Date,
): Promise<PendingJob[]> {
  const batch = await openBatch(db, scope, projectId, now);
  await batch.load(serviceIds);
  for (const serviceId of serviceIds.toSorted()) {
    for (const { id } of batch.unsettled(serviceId)) {
      await batch.record(id, { kind: 'service_removed', serviceId });
    }
  }
  return batch.finish();
}

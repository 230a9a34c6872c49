/** Takes what happens to services into incidents, inside of the caller's transaction. */

import type { ServiceChange } from '@/lib/monitoring/domain-events';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';
import { findIncident, lockIncidents } from './data';
import type { IncidentEvent } from './events/registry';
import { openByFailure } from './events/service-failing';
import { IncidentBatch, loadBatch } from './incident-batch';
import type { StoredIncident } from './incident-rows';

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
  const batch = await lockBatch(
    db,
    scope,
    projectId,
    changes.map(({ serviceId }) => serviceId),
    now,
  );
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
    openedIds.push(await batch.open(incident, event, { projectId, earlierId }));
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
  const batch = await lockBatch(db, scope, projectId, serviceIds, now);
  for (const serviceId of serviceIds.toSorted()) {
    for (const { id } of batch.unsettled(serviceId)) {
      await batch.record(id, { kind: 'service_removed', serviceId });
    }
  }
  return batch.finish();
}

/** Locks the incidents of a project until the transaction ends. @returns those that these services may be in */
async function lockBatch(
  db: TenantDb,
  scope: TenantScope,
  projectId: string,
  serviceIds: readonly string[],
  now: Date,
): Promise<IncidentBatch> {
  await lockIncidents(db, scope.organizationId, projectId);
  const project = await getProjectRow(db, projectId);
  const config = await getConfig(db, projectId, project.currentVersion);
  return loadBatch({ db, scope, config, now }, { projectId, serviceIds });
}

/**
 * Stores an event of an incident with what follows from it. The project's incidents have to be locked.
 *
 * @returns jobs to enqueue after the commit
 */
export async function recordEvent(
  db: TenantDb,
  scope: TenantScope,
  before: StoredIncident,
  event: IncidentEvent,
  config: Pick<ProjectConfig, 'incidents' | 'maintenance'>,
  now: Date,
): Promise<PendingJob[]> {
  const batch = new IncidentBatch({ db, scope, config, now }, [before]);
  await batch.record(before.id, event);
  return batch.finish();
}

/** Notifies people of what has waited until the incident isn't muted anymore. */
export async function sendHeldNotices(
  db: TenantDb,
  scope: TenantScope,
  incidentId: string,
  config: Pick<ProjectConfig, 'incidents' | 'maintenance'>,
  now: Date,
): Promise<PendingJob[]> {
  const incident = await findIncident(db, incidentId);
  if (!incident) return [];
  const batch = new IncidentBatch({ db, scope, config, now }, [incident]);
  await batch.sendHeldNotices(incidentId);
  return batch.finish();
}

/** Tells of the opening of an incident, as `IncidentBatch.announceOpening` does. */
export async function announceOpening(
  db: TenantDb,
  scope: TenantScope,
  incidentId: string,
  config: Pick<ProjectConfig, 'incidents' | 'maintenance'>,
  now: Date,
): Promise<PendingJob[]> {
  const incident = await findIncident(db, incidentId);
  if (!incident) return [];
  const batch = new IncidentBatch({ db, scope, config, now }, [incident]);
  await batch.announceOpening(incidentId);
  return batch.finish();
}

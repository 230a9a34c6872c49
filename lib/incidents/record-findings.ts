/** Takes what a chain found out into the incidents of its project, in the caller's transaction. */
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import type { ProjectConfig } from '@/lib/projects/schema';
import { serviceIdsOf } from './alerts-of-incident';
import { openIncident } from './apply-event';
import { insertIncident, listActive, listUnsettled, nextNumber, type StoredIncident } from './data';
import type { findingsOf } from './findings';
import type { IncidentEvent } from './incident';
import { chooseForFailure, recordEvent } from './record-events';
import { isActive } from './transitions';

interface Place {
  db: TenantDb;
  scope: TenantScope;
  projectId: string;
  config: ProjectConfig;
  now: Date;
}

type Findings = ReturnType<typeof findingsOf>;
type Failing = Extract<IncidentEvent, { kind: 'service_failing' }>;
type Recovered = Extract<IncidentEvent, { kind: 'service_recovered' }>;

/** What findings have changed. */
interface Recorded {
  /** To enqueue after the commit. */
  jobs: PendingJob[];
  /** UUIDs of the incidents that the chain is about. */
  incidentIds: Set<string>;
  /** UUIDs of those that it opened, which still have to be announced. */
  openedIds: string[];
}

/** Takes what a chain found into the incidents that it belongs to, or opens some. */
export async function recordFindings(place: Place, findings: Findings): Promise<Recorded> {
  const recorded: Recorded = { jobs: [], incidentIds: new Set(), openedIds: [] };
  for (const event of findings) {
    if (event.kind === 'service_failing') await recordFailure(place, event, recorded);
    else await recordRecovery(place, event, recorded);
  }
  return recorded;
}

/** A failure that its incident already has isn't an event. */
async function recordFailure(
  { db, scope, projectId, config, now }: Place,
  event: Failing,
  { jobs, incidentIds, openedIds }: Recorded,
): Promise<void> {
  // What checks decide about doesn't wait for the next chain.
  const active = (await listActive(db, projectId)).filter(
    (incident) => incident.source === 'finding' || serviceIdsOf(incident).includes(event.serviceId),
  );
  const { joined, earlierId } = await chooseForFailure(db, active, event, config, now);
  if (joined) {
    incidentIds.add(joined.id);
    if (isKnown(joined, event)) return;
    jobs.push(...(await recordEvent(db, scope, joined, event, config, now)));
    return;
  }
  const { incident } = openIncident('finding', event, now);
  const stored = { ...incident, projectId, number: await nextNumber(db, projectId), earlierId };
  const id = await insertIncident(db, scope.organizationId, stored, event, now);
  incidentIds.add(id);
  openedIds.push(id);
}

/** A service that a chain found healthy has recovered in the incidents that it is part of. */
async function recordRecovery(
  { db, scope, config, now }: Place,
  event: Recovered,
  { jobs, incidentIds }: Recorded,
): Promise<void> {
  for (const incident of await listUnsettled(db, event.serviceId)) {
    const service = incident.services.find(({ serviceId }) => serviceId === event.serviceId);
    if (service?.status === 'healthy') continue;
    incidentIds.add(incident.id);
    jobs.push(...(await recordEvent(db, scope, incident, event, config, now)));
  }
}

function isKnown(incident: StoredIncident, { serviceId, status, needsHuman }: Failing): boolean {
  const service = incident.services.find((each) => each.serviceId === serviceId);
  return (
    isActive(incident) &&
    service?.status === status &&
    service.removedAt === null &&
    (!needsHuman || incident.needsHuman !== null)
  );
}

/** Takes what a chain found out into the incidents of its project, in the caller's transaction. */

import type { EventOf } from './events/registry';
import { openByFailure } from './events/service-failing';
import type { findingsOf } from './findings';
import { isActive } from './incident';
import type { IncidentBatch } from './incident-batch';
import type { StoredIncident } from './incident-rows';
import { serviceIdsOf } from './signals-of-incident';

type Findings = ReturnType<typeof findingsOf>;
type Failing = EventOf<'service_failing'>;
type Recovered = EventOf<'service_recovered'>;

/**
 * Takes what a chain found into the incidents that it belongs to, or opens some.
 *
 * @returns UUIDs of the incidents that the chain is about, and of those that it opened, which still have to be announced
 */
export async function recordFindings(
  batch: IncidentBatch,
  findings: Findings,
): Promise<{ incidentIds: Set<string>; openedIds: string[] }> {
  await batch.load(findings.map(({ serviceId }) => serviceId));
  const incidentIds = new Set<string>();
  const openedIds: string[] = [];
  for (const event of findings) {
    if (event.kind === 'service_recovered') {
      for (const id of await recordRecovery(batch, event)) incidentIds.add(id);
      continue;
    }
    const { joined, earlierId } = chooseForFinding(batch, event);
    if (joined) {
      incidentIds.add(joined.id);
      // A failure that its incident already has isn't an event.
      if (!isKnown(joined, event)) await batch.record(joined.id, event);
      continue;
    }
    const { incident } = openByFailure('finding', event, batch.place.now);
    const id = await batch.open(incident, event, earlierId);
    incidentIds.add(id);
    openedIds.push(id);
  }
  await batch.flush();
  return { incidentIds, openedIds };
}

function chooseForFinding(batch: IncidentBatch, event: Failing) {
  // What checks decide about doesn't wait for the next chain.
  const active = batch
    .active()
    .filter(
      (incident) =>
        incident.source === 'finding' || serviceIdsOf(incident).includes(event.serviceId),
    );
  return batch.chooseForFailure(active, event);
}

/**
 * A service that a chain found healthy has recovered in the incidents that it is part of.
 *
 * @returns their UUIDs
 */
async function recordRecovery(batch: IncidentBatch, event: Recovered): Promise<string[]> {
  const ids = batch.unsettled(event.serviceId).flatMap(({ id, services }) => {
    const service = services.find(({ serviceId }) => serviceId === event.serviceId);
    return service?.status === 'healthy' ? [] : id;
  });
  for (const id of ids) await batch.record(id, event);
  return ids;
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

/** Incidents as they follow from their events. */
import { expect } from 'vitest';
import { openBySignals } from '@/lib/incidents/events/alert-firing';
import { applyEvent, type IncidentEvent, parseEvent } from '@/lib/incidents/events/registry';
import { openByFailure } from '@/lib/incidents/events/service-failing';
import type { Incident } from '@/lib/incidents/incident';
import { recordOf, toStored } from '@/lib/incidents/incident-rows';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { Watch } from './watching';

/** Every incident has the state that follows from its events alone. */
export async function expectRebuilt(watch: Watch): Promise<void> {
  for (const row of await watch.incidents()) {
    const stored = toStored(row);
    const byId = (services: Incident['services']) =>
      new Map(services.map((service) => [service.serviceId, service]));
    const rebuilt = await rebuild(watch, row.id);
    expect({ ...rebuilt, ...recordOf(stored), services: byId(rebuilt.services) }).toEqual({
      ...stored,
      services: byId(stored.services),
    });
  }
}

async function rebuild({ cast }: Watch, incidentId: string): Promise<Incident> {
  const rows = await inTransaction(cast.alice, (db) =>
    db.incidentEvent.findMany({ where: { incidentId }, orderBy: { sequence: 'asc' } }),
  );
  const [first, ...others] = rows.map(({ at, event }) => {
    return { at, event: parseEvent(event) };
  });
  if (!first) throw new Error('An event opens an incident.');
  const opened = openedBy(first.event, first.at);
  return others.reduce((before, { at, event }) => applyEvent(before, event, at).incident, opened);
}

function openedBy(event: IncidentEvent, at: Date): Incident {
  if (event.kind === 'alert_firing') return openBySignals(event, at).incident;
  if (event.kind !== 'service_failing') throw new Error('A failure or an alert opens an incident.');
  return openByFailure(event.chainId ? 'finding' : 'check', event, at).incident;
}

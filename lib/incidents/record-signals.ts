/** Takes alerts of other systems into the incidents of their project, in the caller's transaction. */

import { listCheckedServices } from '@/lib/monitoring/checker-rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { SignalChange } from '@/lib/signals/occurrences';
import { listSignalsByIds } from '@/lib/signals/signal-rows';
import { findIncident, listActive, listResolvedSince, lockIncidents } from './data';
import { openBySignals } from './events/alert-firing';
import type { IncidentEvent } from './events/registry';
import { IncidentBatch } from './incident-batch';
import { recordEvent } from './record-events';
import { linkSignals, listSameSignals, listUnsettledOfSignals, readFiring } from './signal-data';
import { type ChangedSignal, endedEvent, firingEvent } from './signal-events';
import { groupSignals, isWorthAnEvent, type SignalGroup } from './signal-groups';

interface Place {
  db: TenantDb;
  scope: TenantScope;
  projectId: string;
  config: ProjectConfig;
  now: Date;
}

/**
 * Takes changed alerts into the incidents of their project. What they say is read as it is stored by
 * now, so however often an alert changed in a batch, it is one firing or ended alert.
 *
 * @returns jobs to enqueue after the commit
 */
export async function recordSignalChanges(
  db: TenantDb,
  scope: TenantScope,
  { projectId, changes }: { projectId: string; changes: readonly SignalChange[] },
  now: Date,
): Promise<PendingJob[]> {
  await lockIncidents(db, scope.organizationId, projectId);
  const project = await getProjectRow(db, projectId);
  const config = await getConfig(db, projectId, project.currentVersion);
  const place = { db, scope, projectId, config, now };
  const reopened = new Map(
    changes.flatMap(({ signalId, isReopened, at }) =>
      isReopened ? [[signalId, at] as const] : [],
    ),
  );
  const rows = await listSignalsByIds(db, [...new Set(changes.map(({ signalId }) => signalId))]);
  const signals = rows.map((row) => ({ ...row, reopenedAt: reopened.get(row.id) ?? null }));
  // Those that fire first, so that no incident is verified in between.
  return [
    ...(await recordFiring(
      place,
      signals.filter(({ status }) => status === 'firing'),
    )),
    ...(await recordEnded(
      place,
      signals.filter(({ status }) => status !== 'firing'),
    )),
  ];
}

async function recordFiring(
  place: Place,
  signals: readonly ChangedSignal[],
): Promise<PendingJob[]> {
  if (signals.length === 0) return [];
  const { db, scope, projectId, config, now } = place;
  const since = new Date(now.getTime() - config.incidents.reopenSeconds * 1_000);
  const candidates = [
    ...(await listActive(db, projectId)),
    ...(await listResolvedSince(db, projectId, since)),
  ];
  const same = await listSameSignals(
    db,
    scope.organizationId,
    signals.map(({ id }) => id),
  );
  const jobs: PendingJob[] = [];
  for (const group of groupSignals(signals, candidates, same, now, config.incidents)) {
    jobs.push(...(group.incidentId ? await join(place, group) : await open(place, group)));
  }
  return jobs;
}

async function open(place: Place, { signals, earlierId }: SignalGroup): Promise<PendingJob[]> {
  const event = firingEvent(signals, null);
  const { incident } = openBySignals(event, place.now);
  const batch = new IncidentBatch(place, []);
  const id = await batch.open(incident, event, { projectId: place.projectId, earlierId });
  await batch.flush();
  await link(place, id, signals);
  await batch.announceOpening(id);
  return batch.finish();
}

async function join(place: Place, { incidentId, signals }: SignalGroup): Promise<PendingJob[]> {
  if (!incidentId) return [];
  const added = await link(place, incidentId, signals);
  const firing = await readFiring(place.db, place.scope.organizationId, incidentId);
  return record(place, incidentId, firingEvent(signals, firing), added > 0);
}

async function recordEnded(place: Place, signals: readonly ChangedSignal[]): Promise<PendingJob[]> {
  if (signals.length === 0) return [];
  const { db, scope } = place;
  const links = await listUnsettledOfSignals(
    db,
    signals.map(({ id }) => id),
  );
  const checked = await listCheckedServices(
    db,
    signals.flatMap(({ serviceId }) => serviceId ?? []),
  );
  const jobs: PendingJob[] = [];
  for (const incidentId of new Set(links.map((link) => link.incidentId))) {
    const ids = new Set(
      links.flatMap((link) => (link.incidentId === incidentId ? link.signalId : [])),
    );
    const own = signals.filter(({ id }) => ids.has(id));
    const event = endedEvent(own, await readFiring(db, scope.organizationId, incidentId), checked);
    jobs.push(...(await record(place, incidentId, event, true)));
  }
  return jobs;
}

/** @param hasNews the event is about alerts that are new, or new in this state */
async function record(
  { db, scope, config, now }: Place,
  incidentId: string,
  event: IncidentEvent,
  hasNews: boolean,
): Promise<PendingJob[]> {
  const incident = await findIncident(db, incidentId);
  if (!incident || !isWorthAnEvent(incident, event, hasNews, now)) return [];
  return recordEvent(db, scope, incident, event, config, now);
}

function link({ db, scope }: Place, incidentId: string, signals: readonly ChangedSignal[]) {
  return linkSignals(
    db,
    scope.organizationId,
    incidentId,
    signals.map(({ id }) => id),
  );
}

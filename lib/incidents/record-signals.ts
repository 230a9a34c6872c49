/** Takes alerts of other systems into the incidents of their project, in the caller's transaction. */

import { listCheckedServices } from '@/lib/monitoring/checker-rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import type { SignalChange } from '@/lib/signals/occurrences';
import { listSignalsByIds } from '@/lib/signals/signal-rows';
import { listActive, listResolvedSince } from './data';
import { openBySignals } from './events/alert-firing';
import type { IncidentEvent } from './events/registry';
import { type IncidentBatch, openBatch } from './incident-batch';
import { linkSignals, listSameSignals, listUnsettledOfSignals, readFiring } from './signal-data';
import { type ChangedSignal, endedEvent, firingEvent } from './signal-events';
import { groupSignals, isWorthAnEvent } from './signal-groups';

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
  const batch = await openBatch(db, scope, projectId, now);
  const reopened = new Map(
    changes.flatMap(({ signalId, isReopened, at }) =>
      isReopened ? [[signalId, at] as const] : [],
    ),
  );
  const rows = await listSignalsByIds(db, [...new Set(changes.map(({ signalId }) => signalId))]);
  const signals = rows.map((row) => ({ ...row, reopenedAt: reopened.get(row.id) ?? null }));
  // Those that fire first, so that no incident is verified in between.
  await recordFiring(
    batch,
    signals.filter(({ status }) => status === 'firing'),
  );
  await recordEnded(
    batch,
    signals.filter(({ status }) => status !== 'firing'),
  );
  return batch.finish();
}

async function recordFiring(
  batch: IncidentBatch,
  signals: readonly ChangedSignal[],
): Promise<void> {
  if (signals.length === 0) return;
  const { db, projectId, config, now } = batch.place;
  const since = new Date(now.getTime() - config.incidents.reopenSeconds * 1_000);
  const candidates = [
    ...(await listActive(db, projectId)),
    ...(await listResolvedSince(db, projectId, since)),
  ];
  batch.add(candidates);
  const ids = signals.map(({ id }) => id);
  const same = await listSameSignals(db, ids);
  for (const group of groupSignals(signals, candidates, same, now, config.incidents)) {
    const { incidentId, earlierId, signals: own } = group;
    if (incidentId) await join(batch, incidentId, own);
    else await open(batch, own, earlierId);
  }
  // What ends is looked up in the incidents as they are stored.
  await batch.flush();
}

async function open(
  batch: IncidentBatch,
  signals: readonly ChangedSignal[],
  earlierId: string | null,
): Promise<void> {
  const event = firingEvent(signals, null);
  const { incident } = openBySignals(event, batch.place.now);
  const id = await batch.open(incident, event, earlierId);
  await batch.flush();
  await link(batch, id, signals);
  await batch.announceOpening(id);
}

async function join(
  batch: IncidentBatch,
  incidentId: string,
  signals: readonly ChangedSignal[],
): Promise<void> {
  const { db } = batch.place;
  const added = await link(batch, incidentId, signals);
  const firing = await readFiring(db, incidentId);
  await record(batch, incidentId, firingEvent(signals, firing), added > 0);
}

async function recordEnded(batch: IncidentBatch, signals: readonly ChangedSignal[]): Promise<void> {
  if (signals.length === 0) return;
  const { db } = batch.place;
  const links = await listUnsettledOfSignals(
    db,
    signals.map(({ id }) => id),
  );
  const checked = await listCheckedServices(
    db,
    signals.flatMap(({ serviceId }) => serviceId ?? []),
  );
  for (const incidentId of new Set(links.map((each) => each.incidentId))) {
    const ids = new Set(
      links.flatMap((each) => (each.incidentId === incidentId ? each.signalId : [])),
    );
    const own = signals.filter(({ id }) => ids.has(id));
    const firing = await readFiring(db, incidentId);
    await record(batch, incidentId, endedEvent(own, firing, checked), true);
  }
}

/** @param hasNews the event is about alerts that are new, or new in this state */
async function record(
  batch: IncidentBatch,
  incidentId: string,
  event: IncidentEvent,
  hasNews: boolean,
): Promise<void> {
  const incident = await batch.find(incidentId);
  if (!incident || !isWorthAnEvent(incident, event, hasNews, batch.place.now)) return;
  await batch.record(incidentId, event);
}

function link(batch: IncidentBatch, incidentId: string, signals: readonly ChangedSignal[]) {
  const { db } = batch.place;
  const ids = signals.map(({ id }) => id);
  return linkSignals(db, incidentId, ids);
}

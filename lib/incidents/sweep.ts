/** What becomes due in incidents: a look of the agent, a person, the end of a window. */
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import { startLook } from './chains';
import { findIncident, listDue, lockIncidents, type StoredIncident } from './data';
import type { IncidentEvent } from './incident';
import { endOfVerification } from './proof';
import { announceOpening, recordEvent } from './record-events';
import { verifyMsOf } from './verification';

const AT_ONCE = 500;
const ACTOR = 'Incidents';

/** @returns how many incidents were looked at */
export async function advanceIncidents(now = new Date()): Promise<number> {
  const due = await listDue(now, AT_ONCE);
  return forEachRowIsolated('incidents', due, async (row) => {
    const scope = scopeOfSystem(row.organizationId, ACTOR);
    const jobs = await inTransaction(scope, async (db) => {
      await lockIncidents(db, scope.organizationId, row.projectId);
      const incident = await findIncident(db, row.id);
      if (!incident) return [];
      const project = await getProjectRow(db, row.projectId);
      const config = await getConfig(db, row.projectId, project.currentVersion);
      const window = verifyMsOf(incident, config.incidents);
      const due = dueEvent(incident, window, now);
      const event = due?.kind === 'verified' ? await endOfVerification(db, incident, window) : due;
      const told: PendingJob[] =
        incident.announcedAt === null ? await announceOpening(db, scope, row.id, config, now) : [];
      if (!event) return told;
      const current = (await findIncident(db, row.id)) ?? incident;
      return [...told, ...(await recordEvent(db, scope, current, event, config, now))];
    });
    await enqueueAll(jobs);
    await startLook(row, now);
  });
}

/** Returns what is due by now; null for nothing but a look. */
export function dueEvent(
  incident: Pick<StoredIncident, 'state' | 'verifyingSince' | 'acknowledgement' | 'humanDueAt'>,
  verifyMs: number,
  now: Date,
): IncidentEvent | null {
  const { state, verifyingSince, acknowledgement, humanDueAt } = incident;
  const isPast = (at: Date | null | undefined, ms = 0) =>
    at != null && now.getTime() - at.getTime() >= ms;
  if (state === 'resolved') return null;
  if (state === 'verifying') return isPast(verifyingSince, verifyMs) ? { kind: 'verified' } : null;
  if (isPast(acknowledgement?.endsAt)) return { kind: 'acknowledgement_ended', by: null };
  return isPast(humanDueAt) ? { kind: 'needs_human' } : null;
}

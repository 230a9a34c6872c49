/** What becomes due in incidents: a look of the agent, a person, the end of a window. */

import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import type { ProjectConfig } from '@/lib/projects/schema';
import { startLook } from './chains';
import { findIncident, lockIncidents, scheduleIncident, takeDue } from './data';
import { LONGEST_RETRY_MS, nextTryAt } from './due';
import type { IncidentEvent } from './events/registry';
import type { StoredIncident } from './incident-rows';
import { endOfVerification, returnOfProof } from './proof';
import { announceOpening, recordEvent, sendHeldNotices } from './record-events';
import { isActive } from './transitions';
import { verifyMsOf } from './verification';

const AT_ONCE = 500;
const ACTOR = 'Incidents';

/**
 * Does what is due in incidents, those that have been due for the longest time first. What has to wait is
 * tried again later, so that no organization's incidents keep those of another one waiting.
 *
 * @returns how many incidents were looked at
 */
export async function advanceIncidents(now = new Date()): Promise<number> {
  const due = await takeDue(now, new Date(now.getTime() + LONGEST_RETRY_MS), AT_ONCE);
  return forEachRowIsolated('incidents', due, async (row) => {
    const scope = scopeOfSystem(row.organizationId, ACTOR);
    const { jobs, isLookDue } = await inTransaction(scope, async (db) => {
      await lockIncidents(db, scope.organizationId, row.projectId);
      const jobs = await advance(db, scope, row, now);
      const current = await findIncident(db, row.id);
      return { jobs, isLookDue: current?.lookDueAt != null && current.lookDueAt <= now };
    });
    await enqueueAll(jobs);
    if (isLookDue) await startLook(row, now);
  });
}

/** @returns jobs to enqueue after the commit */
async function advance(
  db: TenantDb,
  scope: TenantScope,
  { id, projectId }: { id: string; projectId: string },
  now: Date,
): Promise<PendingJob[]> {
  const incident = await findIncident(db, id);
  if (!incident) return [];
  const project = await getProjectRow(db, projectId);
  const config = await getConfig(db, projectId, project.currentVersion);
  const window = verifyMsOf(incident, config.incidents);
  const due = dueEvent(incident, window, now);
  const events = await settledEvents(db, incident, due, config, now);
  const jobs: PendingJob[] =
    incident.announcedAt === null
      ? await announceOpening(db, scope, id, config, now)
      : await sendHeldNotices(db, scope, id, config, now);
  for (const event of events) {
    const current = (await findIncident(db, id)) ?? incident;
    jobs.push(...(await recordEvent(db, scope, current, event, config, now)));
  }
  const after = (await findIncident(db, id)) ?? incident;
  await scheduleIncident(db, id, nextTryAt(after, window, now));
  return jobs;
}

/** Returns what is due, as far as the checks say so. */
async function settledEvents(
  db: TenantDb,
  incident: StoredIncident,
  due: IncidentEvent | null,
  config: Pick<ProjectConfig, 'incidents' | 'monitoring'>,
  now: Date,
): Promise<IncidentEvent[]> {
  if (due?.kind === 'verified') {
    const verifyMs = verifyMsOf(incident, config.incidents);
    const { failures } = config.monitoring;
    return endOfVerification(db, incident, { verifyMs, failures }, now);
  }
  const event = due ?? (isActive(incident) ? await returnOfProof(db, incident) : null);
  return event ? [event] : [];
}

/** Returns what is due by now; null for nothing but a look. */
export function dueEvent(
  incident: Pick<
    StoredIncident,
    'state' | 'verifyingSince' | 'acknowledgement' | 'silence' | 'humanDueAt'
  >,
  verifyMs: number,
  now: Date,
): IncidentEvent | null {
  const { state, verifyingSince, acknowledgement, silence, humanDueAt } = incident;
  const isPast = (at: Date | null | undefined, ms = 0) =>
    at != null && now.getTime() - at.getTime() >= ms;
  if (state === 'resolved') return null;
  if (isPast(silence?.endsAt)) return { kind: 'silence_ended', by: null };
  if (state === 'verifying') return isPast(verifyingSince, verifyMs) ? { kind: 'verified' } : null;
  if (isPast(acknowledgement?.endsAt)) return { kind: 'acknowledgement_ended', by: null };
  return isPast(humanDueAt) ? { kind: 'needs_human' } : null;
}

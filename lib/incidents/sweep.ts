/** What becomes due in incidents: a look of the agent, a person, the end of a window. */

import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import type { ProjectConfig } from '@/lib/projects/schema';
import { startLook } from './chains';
import { findIncident, takeDue } from './data';
import { LONGEST_RETRY_MS, nextTryAt } from './due';
import type { IncidentEvent } from './events/registry';
import { type Incident, isActive, lookOf } from './incident';
import { type IncidentBatch, openBatch } from './incident-batch';
import { endOfVerification, returnOfProof } from './proof';
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
      // It was deleted with its project.
      if (!(await findIncident(db, row.id))) return { jobs: [], isLookDue: false };
      const batch = await openBatch(db, scope, row.projectId, now);
      const lookDueAt = await advance(batch, row.id);
      return { jobs: await batch.finish(), isLookDue: lookDueAt !== null && lookDueAt <= now };
    });
    await enqueueAll(jobs);
    if (isLookDue) await startLook(row, now);
  });
}

/** Does what is due in an incident. Returns when the agent should look. */
async function advance(batch: IncidentBatch, id: string): Promise<Date | null> {
  const { db, config, now } = batch.place;
  const incident = await batch.find(id);
  if (!incident) return null;
  const window = verifyMsOf(incident, config.incidents);
  const due = dueEvent(incident, window, now);
  const events = await settledEvents(db, incident, due, config, now);
  if (incident.announcedAt === null) await batch.announceOpening(id);
  else await batch.sendHeldNotices(id);
  for (const event of events) await batch.record(id, event);
  const after = (await batch.find(id)) ?? incident;
  batch.update(id, { dueAt: nextTryAt(after, window, now) });
  return lookOf(after);
}

/** Returns what is due, as far as the checks say so. */
async function settledEvents(
  db: TenantDb,
  incident: Incident,
  due: IncidentEvent | null,
  config: Pick<ProjectConfig, 'incidents' | 'monitoring'>,
  now: Date,
): Promise<IncidentEvent[]> {
  if (incident.state === 'verifying' && due?.kind === 'verified') {
    const verifyMs = verifyMsOf(incident, config.incidents);
    const { failures } = config.monitoring;
    return endOfVerification(db, incident, { verifyMs, failures }, now);
  }
  const event = due ?? (isActive(incident) ? await returnOfProof(db, incident) : null);
  return event ? [event] : [];
}

/** Returns what is due by now; null for nothing but a look. */
export function dueEvent(incident: Incident, verifyMs: number, now: Date): IncidentEvent | null {
  const isPast = (at: Date | null | undefined, ms = 0) =>
    at != null && now.getTime() - at.getTime() >= ms;
  if (incident.state === 'resolved') return null;
  if (isPast(incident.silence?.endsAt)) return { kind: 'silence_ended', by: null };
  if (incident.state === 'verifying') {
    return isPast(incident.verifyingSince, verifyMs) ? { kind: 'verified' } : null;
  }
  if (incident.state === 'acknowledged' && isPast(incident.acknowledgement.endsAt)) {
    return { kind: 'acknowledgement_ended', by: null };
  }
  return isPast(incident.humanDueAt) ? { kind: 'needs_human' } : null;
}

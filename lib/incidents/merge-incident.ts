/** Two incidents are the same outage: a person merges one into the other. */

import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { findIncident, hasRunningChain, moveLinks } from './data';
import { factsOf, joiningIncidentSchema } from './incident';
import { type IncidentBatch, openBatch } from './incident-batch';
import type { StoredIncident } from './incident-rows';

/**
 * Merges an incident into another one of its project, both of which aren't over. The other one takes over its
 * services, alerts, chains and acknowledgement, and what fails there later. A repeated call changes nothing.
 *
 * @param incidentId `inc_…` of the one that ends
 * @param input.into `inc_…` of the one that continues
 * @throws NotFoundError if the organization has no such incident
 * @throws ConflictError for itself, one of another project, and one that is resolved or merged elsewhere
 */
export async function mergeIncident(
  scope: TenantScope,
  incidentId: string,
  { into, note }: { into: string; note: string },
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'incident.acknowledge');
  const ids = { id: requireId('inc', incidentId), intoId: requireId('inc', into) };
  const jobs = await inTransaction(scope, async (db) => {
    const found = await getIncident(db, ids.id);
    const { projectId } = found;
    const batch = await openBatch(db, scope, projectId, now);
    // Somebody else may have been faster.
    const source = await getIncident(db, ids.id);
    const target = await getIncident(db, ids.intoId);
    if (factsOf(source).mergedIntoId === target.id) return [];
    refuse(source, target, await nameMerged(db, source), await nameMerged(db, target));
    batch.add([source, target]);
    await merge(batch, source, target, note);
    await recordAudit(db, scope, {
      ...{ action: 'incident.merged', target: incidentId, projectId },
      detail: { number: source.number, into: target.number, note },
    });
    return batch.finish();
  });
  await enqueueAll(jobs);
}

async function getIncident(db: TenantDb, id: string): Promise<StoredIncident> {
  const incident = await findIncident(db, id);
  if (!incident) throw new NotFoundError();
  return incident;
}

/** `Incident #3` for one that was merged into that; null for one that wasn't. */
async function nameMerged(db: TenantDb, incident: StoredIncident): Promise<string | null> {
  const { mergedIntoId } = factsOf(incident);
  if (mergedIntoId === null) return null;
  const { number } = await getIncident(db, mergedIntoId);
  return `Incident #${number}`;
}

/** @throws ConflictError unless the one can be merged into the other */
function refuse(
  source: StoredIncident,
  target: StoredIncident,
  sourceMergedInto: string | null,
  targetMergedInto: string | null,
): void {
  const [one, other] = [`Incident #${source.number}`, `Incident #${target.number}`];
  if (source.id === target.id) {
    throw new ConflictError(`${one} can’t be merged into itself. Choose another incident.`);
  }
  if (source.projectId !== target.projectId) {
    throw new ConflictError(
      'The two incidents belong to different projects. Only incidents of one project can be merged.',
    );
  }
  if (sourceMergedInto) {
    throw new ConflictError(`${one} has already been merged into ${sourceMergedInto}.`);
  }
  if (targetMergedInto) {
    throw new ConflictError(
      `${other} has been merged into ${targetMergedInto} meanwhile. Merge ${one} into that one.`,
    );
  }
  if (source.state === 'resolved') {
    throw new ConflictError(`${one} is resolved, so there is nothing to merge.`);
  }
  if (target.state === 'resolved') {
    throw new ConflictError(
      `${other} is resolved, so nothing can be merged into it. Choose one that isn’t.`,
    );
  }
}

async function merge(
  batch: IncidentBatch,
  source: StoredIncident,
  target: StoredIncident,
  note: string,
): Promise<void> {
  const { db, scope } = batch.place;
  const by = scope.actor.label;
  const into = { incidentId: target.id, number: target.number };
  const from = { incidentId: source.id, number: source.number };
  // The one that ends releases its services first.
  await batch.record(source.id, { kind: 'merged', by, note, into });
  await batch.flush();
  await moveLinks(db, { fromId: source.id, toId: target.id });
  const isChainAtWork = await hasRunningChain(db, target.id);
  const joining = joiningIncidentSchema.parse(source);
  const isNeedKnown = source.needAnnouncedAt !== null;
  await batch.record(target.id, {
    ...{ kind: 'joined', by, note, from, isNeedKnown, isChainAtWork, joining },
  });
  if (isNeedKnown && target.announcedAt !== null && target.needAnnouncedAt === null) {
    batch.update(target.id, { needAnnouncedAt: source.needAnnouncedAt });
  }
  if (target.announcedAt === null) await batch.announceOpening(target.id);
}

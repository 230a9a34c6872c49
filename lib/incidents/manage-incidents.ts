/** What people do with incidents. */

import type { AuditAction } from '@/lib/identity/audit/actions';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { checkEndsAt } from '@/lib/identity/pauses';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { findIncident, listOfChain } from './data';
import type { EventOf } from './events/registry';
import { acknowledgementOf } from './incident';
import { type IncidentBatch, openBatch } from './incident-batch';
import type { StoredIncident } from './incident-rows';
import type { IncidentEventKind } from './states';

/** Maximum duration of an acknowledgement in days. */
const LONGEST_DAYS = 30;

type AuditedKind = AuditAction extends infer Action
  ? Action extends `incident.${infer Kind}`
    ? Kind & IncidentEventKind
    : never
  : never;
/** What a person did, which the audit log has by the same name. */
type Act = EventOf<AuditedKind>;

/**
 * Returns what happens in an incident if that person does something; null: nothing changes.
 *
 * @throws ConflictError if it can't be done
 */
type Decide = (incident: StoredIncident, by: string) => Act | null;

/**
 * A person does something with an incident, which its timeline and the audit log show.
 *
 * @param incidentId `inc_…`
 */
export async function changeIncident(
  scope: TenantScope,
  incidentId: string,
  decide: Decide,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'incident.acknowledge');
  const id = requireId('inc', incidentId);
  const jobs = await inTransaction(scope, async (db) => {
    const found = await findIncident(db, id);
    if (!found) throw new NotFoundError();
    const batch = await openBatch(db, scope, found.projectId, now);
    // Somebody else may have been faster.
    await record(batch, (await batch.find(id)) ?? found, decide);
    return batch.finish();
  });
  await enqueueAll(jobs);
}

async function record(
  batch: IncidentBatch,
  incident: StoredIncident,
  decide: Decide,
): Promise<void> {
  const { db, scope } = batch.place;
  const { id, projectId, number } = incident;
  const event = decide(incident, scope.actor.label);
  if (!event) return;
  await batch.record(id, event);
  await recordAudit(db, scope, {
    ...{ action: `incident.${event.kind}`, target: encodeId('inc', id), projectId },
    detail: { number, note: 'note' in event ? event.note : '' },
  });
}

/**
 * A person says that they are working on an incident, until it is resolved or the acknowledgement ends.
 *
 * @param input.endsAt null or left out: when the incident is resolved
 * @throws ConflictError for one that is acknowledged or resolved already
 */
export function acknowledgeIncident(
  scope: TenantScope,
  incidentId: string,
  { note, endsAt = null }: { note: string; endsAt?: Date | null },
  now = new Date(),
): Promise<void> {
  const decide: Decide = (incident, by) => {
    checkEndsAt(endsAt, now, LONGEST_DAYS);
    const name = `Incident #${incident.number}`;
    if (incident.state === 'resolved') {
      throw new ConflictError(`${name} is resolved, so there is nothing to acknowledge.`);
    }
    const earlier = acknowledgementOf(incident);
    if (earlier) throw new ConflictError(`${earlier.by} has already acknowledged ${name}.`);
    return { kind: 'acknowledged', by, endsAt: endsAt?.toISOString() ?? null, note };
  };
  return changeIncident(scope, incidentId, decide, now);
}

/** Removes an acknowledgement: the incident is open again. A repeated call changes nothing. */
export function endIncidentAcknowledgement(
  scope: TenantScope,
  incidentId: string,
  now = new Date(),
): Promise<void> {
  const decide: Decide = (incident, by) =>
    acknowledgementOf(incident) && { kind: 'acknowledgement_ended', by };
  return changeIncident(scope, incidentId, decide, now);
}

/**
 * A person says that an incident is over. Its services may still fail: they open an incident again only
 * once they have recovered and then fail again.
 *
 * @throws ConflictError for one that is resolved already
 */
export function resolveIncident(
  scope: TenantScope,
  incidentId: string,
  { note }: { note: string },
  now = new Date(),
): Promise<void> {
  const decide: Decide = ({ number, state }, by) => {
    if (state !== 'resolved') return { kind: 'resolved', by, note };
    throw new ConflictError(`Incident #${number} is already resolved.`);
  };
  return changeIncident(scope, incidentId, decide, now);
}

/**
 * Stops the messages about an incident that people get, until a time or until it is resolved. Agents continue. It
 * replaces an earlier silence.
 *
 * @param input.endsAt null or left out: when the incident is resolved
 * @throws ConflictError for one that is resolved
 */
export function silenceIncident(
  scope: TenantScope,
  incidentId: string,
  { note, endsAt = null }: { note: string; endsAt?: Date | null },
  now = new Date(),
): Promise<void> {
  const decide: Decide = ({ number, state }, by) => {
    checkEndsAt(endsAt, now, LONGEST_DAYS);
    if (state === 'resolved') {
      throw new ConflictError(`Incident #${number} is resolved, so there is nothing to silence.`);
    }
    return { kind: 'silenced', by, endsAt: endsAt?.toISOString() ?? null, note };
  };
  return changeIncident(scope, incidentId, decide, now);
}

/** Ends a silence. People are notified if they are still needed. A repeated call changes nothing. */
export function endIncidentSilence(
  scope: TenantScope,
  incidentId: string,
  now = new Date(),
): Promise<void> {
  const decide: Decide = (incident, by) =>
    incident.state !== 'resolved' && incident.silence ? { kind: 'silence_ended', by } : null;
  return changeIncident(scope, incidentId, decide, now);
}

/**
 * A person has acknowledged a chain, and with it the incidents that it is about. @returns jobs to enqueue
 * after the commit
 */
export function acknowledgeOfChain(
  db: TenantDb,
  scope: TenantScope,
  { chainId, endsAt, note }: { chainId: string; endsAt: Date | null; note: string },
  now: Date,
): Promise<PendingJob[]> {
  return changeOfChain(db, scope, chainId, now, (incident, by) =>
    incident.state === 'resolved' || acknowledgementOf(incident)
      ? null
      : { kind: 'acknowledged', by, endsAt: endsAt?.toISOString() ?? null, note },
  );
}

/**
 * A person has removed the acknowledgement of a chain, and with it those that were made together with it.
 *
 * @returns jobs to enqueue after the commit
 */
export function endAcknowledgementOfChain(
  db: TenantDb,
  scope: TenantScope,
  { chainId, acknowledgedAt }: { chainId: string; acknowledgedAt: Date },
  now: Date,
): Promise<PendingJob[]> {
  return changeOfChain(db, scope, chainId, now, (incident, by) =>
    acknowledgementOf(incident)?.at.getTime() === acknowledgedAt.getTime()
      ? { kind: 'acknowledgement_ended', by }
      : null,
  );
}

async function changeOfChain(
  db: TenantDb,
  scope: TenantScope,
  chainId: string,
  now: Date,
  decide: Decide,
): Promise<PendingJob[]> {
  const [first] = await listOfChain(db, chainId);
  if (!first) return [];
  const batch = await openBatch(db, scope, first.projectId, now);
  const incidents = await listOfChain(db, chainId);
  batch.add(incidents);
  for (const incident of incidents) await record(batch, incident, decide);
  return batch.finish();
}

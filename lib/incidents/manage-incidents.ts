/** What people do with incidents. */

import { recordAudit } from '@/lib/identity/audit/record-audit';
import { checkEndsAt } from '@/lib/identity/pauses/pauses';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { findIncident, listOfChain } from './data';
import type { IncidentEvent } from './events/registry';
import { acknowledgementOf } from './incident';
import { type IncidentBatch, openBatch } from './incident-batch';
import type { StoredIncident } from './incident-rows';

/** Maximum duration of an acknowledgement in days. */
const LONGEST_DAYS = 30;

/**
 * A person says that they are working on an incident, until it is resolved or the acknowledgement ends.
 *
 * @param incidentId `inc_…`
 * @param input.endsAt null or left out: when the incident is resolved
 * @throws ConflictError for one that is acknowledged or resolved already
 */
export function acknowledgeIncident(
  scope: TenantScope,
  incidentId: string,
  { note, endsAt = null }: { note: string; endsAt?: Date | null },
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'incident.acknowledge');
  checkEndsAt(endsAt, now, LONGEST_DAYS);
  return change(scope, incidentId, now, (incident) => {
    const { number, state } = incident;
    if (state === 'resolved') {
      throw new ConflictError(
        `Incident #${number} is resolved, so there is nothing to acknowledge.`,
      );
    }
    const acknowledgement = acknowledgementOf(incident);
    if (acknowledgement) {
      throw new ConflictError(
        `${acknowledgement.by} has already acknowledged Incident #${number}.`,
      );
    }
    return acknowledging(scope, endsAt, note);
  });
}

/** Removes an acknowledgement: the incident is open again. A repeated call changes nothing. */
export function endIncidentAcknowledgement(
  scope: TenantScope,
  incidentId: string,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'incident.acknowledge');
  return change(scope, incidentId, now, (incident) =>
    acknowledgementOf(incident) === null ? null : endingAcknowledgement(scope),
  );
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
  requireMay(scope, 'incident.acknowledge');
  return change(scope, incidentId, now, ({ number, state }) => {
    if (state === 'resolved') {
      throw new ConflictError(`Incident #${number} is already resolved.`);
    }
    return {
      action: 'incident.resolved',
      event: { kind: 'resolved', by: scope.actor.label, note },
    };
  });
}

/**
 * Stops the messages about an incident that people get, until a time or until it is resolved. Agents continue. It
 * replaces an earlier silence.
 *
 * @param incidentId `inc_…`
 * @param input.endsAt null or left out: when the incident is resolved
 * @throws ConflictError for one that is resolved
 */
export function silenceIncident(
  scope: TenantScope,
  incidentId: string,
  { note, endsAt = null }: { note: string; endsAt?: Date | null },
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'incident.acknowledge');
  checkEndsAt(endsAt, now, LONGEST_DAYS);
  return change(scope, incidentId, now, ({ number, state }) => {
    if (state === 'resolved') {
      throw new ConflictError(`Incident #${number} is resolved, so there is nothing to silence.`);
    }
    const by = scope.actor.label;
    return {
      action: 'incident.silenced',
      event: { kind: 'silenced', by, endsAt: endsAt?.toISOString() ?? null, note },
    };
  });
}

/** Ends a silence. People are notified if they are still needed. A repeated call changes nothing. */
export function endIncidentSilence(
  scope: TenantScope,
  incidentId: string,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'incident.acknowledge');
  return change(scope, incidentId, now, (incident) =>
    incident.state === 'resolved' || incident.silence === null
      ? null
      : {
          action: 'incident.silence_ended',
          event: { kind: 'silence_ended', by: scope.actor.label },
        },
  );
}

interface Act {
  action:
    | 'incident.acknowledged'
    | 'incident.acknowledgement_ended'
    | 'incident.resolved'
    | 'incident.silenced'
    | 'incident.silence_ended';
  event: IncidentEvent;
}

/** Null: nothing changes. */
type Decide = (incident: StoredIncident) => Act | null;

function acknowledging({ actor }: TenantScope, endsAt: Date | null, note: string): Act {
  return {
    action: 'incident.acknowledged',
    event: { kind: 'acknowledged', by: actor.label, endsAt: endsAt?.toISOString() ?? null, note },
  };
}

function endingAcknowledgement({ actor }: TenantScope): Act {
  return {
    action: 'incident.acknowledgement_ended',
    event: { kind: 'acknowledgement_ended', by: actor.label },
  };
}

async function change(
  scope: TenantScope,
  incidentId: string,
  now: Date,
  decide: Decide,
): Promise<void> {
  const id = requireId('inc', incidentId);
  const jobs = await inTransaction(scope, async (db) => {
    const found = await findIncident(db, id);
    if (!found) throw new NotFoundError();
    const batch = await openBatch(db, scope, found.projectId, now);
    // Somebody else may have been faster.
    const incident = (await batch.find(id)) ?? found;
    const decided = decide(incident);
    if (decided) await record(batch, incident, decided);
    return batch.finish();
  });
  await enqueueAll(jobs);
}

async function record(
  batch: IncidentBatch,
  { id, projectId, number }: StoredIncident,
  { action, event }: Act,
): Promise<void> {
  const { db, scope } = batch.place;
  await batch.record(id, event);
  await recordAudit(db, scope, {
    ...{ action, target: encodeId('inc', id), projectId },
    detail: { number, note: 'note' in event ? event.note : '' },
  });
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
  return changeOfChain(db, scope, chainId, now, (incident) =>
    incident.state === 'resolved' || acknowledgementOf(incident)
      ? null
      : acknowledging(scope, endsAt, note),
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
  return changeOfChain(db, scope, chainId, now, (incident) =>
    acknowledgementOf(incident)?.at.getTime() === acknowledgedAt.getTime()
      ? endingAcknowledgement(scope)
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
  for (const incident of incidents) {
    const decided = decide(incident);
    if (decided) await record(batch, incident, decided);
  }
  return batch.finish();
}

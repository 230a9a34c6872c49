/** Starts and ends escalations with their incidents, and sends the steps that are due. */

import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { IncidentNotice } from '@/lib/incidents/incident';
import { getIncidentRow, type IncidentRow } from '@/lib/incidents/incident-rows';
import { isMuted } from '@/lib/incidents/muting';
import { incidentSignalsSchema } from '@/lib/incidents/signals-of-incident';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { enqueueMany } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import { asService } from '../announce-incident';
import { isOpen } from '../escalated-event';
import {
  endEscalation,
  findPolicyOfProject,
  lockEscalation,
  takeDueEscalations,
  updateProgress,
  writeEscalation,
} from './data';
import { decideEscalationStep, joinProgress, type Need, nextStep } from './due-step';
import { escalationFailures } from './metrics';
import { sendStep } from './send-step';

const AT_ONCE = 500;
const ACTOR = 'Escalation';

/**
 * Starts the escalation of an incident that is announced, and ends that of one that is resolved. One that is merged
 * hands its progress on.
 */
export async function escalateIncident(
  db: TenantDb,
  { organizationId }: TenantScope,
  {
    incidentId,
    notice,
    sequence,
  }: { incidentId: string; notice: IncidentNotice; sequence: number },
  now: Date,
): Promise<void> {
  if (notice === 'merged') await handOver(db, organizationId, incidentId, now);
  if (notice === 'resolved' || notice === 'merged') return endEscalation(db, incidentId, now);
  if (notice !== 'opened' && notice !== 'reopened') return;
  const { projectId } = await getIncidentRow(db, incidentId);
  const policy = await findPolicyOfProject(db, projectId);
  if (!policy) return endEscalation(db, incidentId, now);
  const { name: policyName, plan } = policy;
  await writeEscalation(db, organizationId, {
    incidentId,
    run: sequence,
    policyName,
    plan,
    at: now,
  });
}

async function handOver(
  db: TenantDb,
  organizationId: TenantScope['organizationId'],
  incidentId: string,
  now: Date,
): Promise<void> {
  const { mergedIntoId } = await getIncidentRow(db, incidentId);
  const other = await lockEscalation(db, organizationId, incidentId);
  const own = mergedIntoId && (await lockEscalation(db, organizationId, mergedIntoId));
  if (!own || !other) return;
  // It is looked at once the incident has taken the other one in.
  const place = { nextAt: now, seenSequence: own.run };
  await updateProgress(db, mergedIntoId, joinProgress(own, other, now), place);
}

/**
 * Sends the steps that are due, in every organization. A step, its messages and what is next are written in
 * one transaction, so two workers or a crash never send a step twice. One that fails is put off, longer each time.
 *
 * @returns how many escalations were looked at
 */
export async function advanceEscalations(now = new Date()): Promise<number> {
  const due = await takeDueEscalations(now, AT_ONCE);
  return forEachRowIsolated('escalations', due, async ({ id, organizationId: owner }) => {
    const scope = scopeOfSystem(owner, ACTOR);
    const { organizationId } = scope;
    const deliveryIds = await inTransaction(scope, (db) => advance(db, scope, id, now)).catch(
      (error: unknown) => {
        escalationFailures.add({});
        throw error;
      },
    );
    await enqueueMany(
      deliverWebhookJob,
      deliveryIds.map((deliveryId) => ({ organizationId, deliveryId })),
    );
  });
}

/** @returns ids of the new deliveries, to enqueue after the commit */
async function advance(
  db: TenantDb,
  scope: TenantScope,
  incidentId: string,
  now: Date,
): Promise<string[]> {
  const escalation = await lockEscalation(db, scope.organizationId, incidentId);
  if (!escalation) return [];
  const incident = await getIncidentRow(db, incidentId);
  const need = needOf(incident, now);
  const unmuted = decideEscalationStep(escalation, need, false, now);
  // Asked only when a step is due: it costs two queries.
  const isHeld = unmuted.kind === 'send' && (await isIncidentMuted(db, incident, now));
  const decision = isHeld ? decideEscalationStep(escalation, need, true, now) : unmuted;
  if (decision.kind === 'end') {
    await endEscalation(db, incidentId, now);
    return [];
  }
  const seenSequence = incident.sequence;
  if (decision.kind === 'wait') {
    const { progress, nextAt } = decision;
    await updateProgress(db, incidentId, progress, { nextAt, seenSequence });
    return [];
  }
  const { organizationId } = scope;
  const sending = { organizationId, incident, escalation, due: decision, now };
  const { lastNumber, deliveryIds } = await sendStep(db, sending);
  const progress = { ...decision.progress, lastNumber };
  const nextAt = nextStep(progress)?.at ?? null;
  await updateProgress(db, incidentId, progress, { nextAt, seenSequence });
  return deliveryIds;
}

function needOf(incident: IncidentRow, now: Date): Need {
  if (incident.state === 'resolved') return { kind: 'over' };
  // The end of the silence is a change, after which it is looked at again.
  if (incident.silencedBy !== null) return { kind: 'waiting', since: now };
  if (isOpen(incident)) return { kind: 'called' };
  const since = incident.state === 'verifying' ? incident.verifyingSince : incident.acknowledgedAt;
  return { kind: 'waiting', since: since ?? now };
}

async function isIncidentMuted(db: TenantDb, incident: IncidentRow, now: Date): Promise<boolean> {
  const { projectId } = incident;
  const { currentVersion } = await getProjectRow(db, projectId);
  const config = await getConfig(db, projectId, currentVersion);
  const alerts = incidentSignalsSchema.nullable().parse(incident.alerts);
  return isMuted(db, { services: incident.services.map(asService), alerts }, config, now);
}

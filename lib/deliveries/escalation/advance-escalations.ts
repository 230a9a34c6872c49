/** Starts and ends escalations with their incidents, and sends the steps that are due. */

import { v7 as uuidv7 } from 'uuid';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { incidentAlertsSchema } from '@/lib/incidents/alerts-of-incident';
import type { IncidentNotice } from '@/lib/incidents/incident';
import { getIncidentRow, type IncidentRow } from '@/lib/incidents/incident-rows';
import { isMuted } from '@/lib/incidents/muting';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { formatSpan } from '@/lib/platform/format/duration';
import { enqueueMany } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import { isSuperseding } from '../alert';
import { asService, incidentEvent } from '../announce-incident';
import { type ChannelRow, listListeningChannels } from '../channels/data';
import { ESCALATED_EVENT, isOpen } from '../escalated-event';
import { type Message, messageOf } from '../message';
import { insertDeliveries } from '../outbox/data';
import { listFirstInLine } from '../outbox/sending-data';
import {
  endEscalation,
  findPolicyOfProject,
  insertStep,
  listAnnouncedChannels,
  listDueEscalations,
  listScheduleRows,
  lockEscalation,
  type StoredEscalation,
  updateProgress,
  writeEscalation,
} from './data';
import {
  decideEscalationStep,
  type EscalationDecision,
  joinProgress,
  type Need,
  stepOf,
} from './due-step';
import { chooseRecipients } from './recipients';

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
 * one transaction, so two workers or a crash never send a step twice.
 *
 * @returns how many escalations were looked at
 */
export async function advanceEscalations(now = new Date()): Promise<number> {
  const due = await listDueEscalations(now, AT_ONCE);
  return forEachRowIsolated('escalations', due, async ({ id, organizationId: owner }) => {
    const scope = scopeOfSystem(owner, ACTOR);
    const { organizationId } = scope;
    const deliveryIds = await inTransaction(scope, (db) => advance(db, scope, id, now));
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
  const { progress, nextAt } = decision;
  await updateProgress(db, incidentId, progress, { nextAt, seenSequence: incident.sequence });
  return decision.kind === 'send' ? sendStep(db, scope, escalation, incident, decision, now) : [];
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
  const alerts = incidentAlertsSchema.nullable().parse(incident.alerts);
  return isMuted(db, { services: incident.services.map(asService), alerts }, config, now);
}

async function sendStep(
  db: TenantDb,
  { organizationId }: TenantScope,
  escalation: StoredEscalation,
  incident: IncidentRow,
  { number, dueAt, skipped }: Extract<EscalationDecision, { kind: 'send' }>,
  now: Date,
): Promise<string[]> {
  const { run, plan, policyName } = escalation;
  const place = { incidentId: incident.id, run, at: now };
  for (const missed of skipped) {
    await insertStep(db, organizationId, { ...place, number: missed }, null);
  }
  const notice = incident.needsHumanSince ? 'needs_human' : 'opened';
  const { event, chainId } = await incidentEvent(db, incident, notice, now);
  const step = stepOf(plan, number);
  const channels = await listListeningChannels(db);
  const subject = event.alert?.dedupKey ?? null;
  const announced = subject ? await listAnnouncedChannels(db, subject, dueAt) : [];
  const chosen = chooseRecipients(step, await listScheduleRows(db), channels, announced, now);
  await insertStep(db, organizationId, { ...place, number }, chosen.recipients);
  const message = stepMessage(messageOf(event), { number, plan, policyName });
  const rows = chosen.notify.map((channel: ChannelRow) => ({
    id: uuidv7(),
    channelId: channel.id,
    chainId,
    eventType: ESCALATED_EVENT,
    occasion: `${ESCALATED_EVENT}:${incident.id}:${run}:${number}`,
    subject,
    sequence: event.alert ? BigInt(event.alert.sequence) : null,
    supersedes: event.alert ? channel.alertsOnly && isSuperseding(event.alert) : false,
    body: JSON.stringify(message),
    nextAttemptAt: now,
    createdAt: now,
  }));
  const ids = await insertDeliveries(db, organizationId, rows);
  return listFirstInLine(db, organizationId, ids, now);
}

/** The message about the incident as it is, with why it is sent again. */
function stepMessage(
  message: Message,
  { number, plan, policyName }: Pick<StoredEscalation, 'plan' | 'policyName'> & { number: number },
): Message {
  const repeats = number - plan.steps.length;
  const which =
    repeats > 0
      ? `repeat ${repeats} of step ${plan.steps.length}`
      : `step ${number} of ${plan.steps.length}`;
  const minutes = stepOf(plan, number)?.afterMinutes ?? 0;
  const waited = minutes + Math.max(0, repeats) * plan.repeatMinutes;
  const since = waited === 0 ? '' : ` Nobody has worked on it for ${formatSpan(waited * 60)}.`;
  const why = `Escalation “${policyName}”, ${which}.${since} Acknowledge the incident to stop the escalation.`;
  const { alert } = message;
  return {
    ...message,
    title: `${message.title.replace(/ opened$/, ' is open')} (escalation ${which})`,
    lines: [...message.lines, why],
    ...(alert ? { alert: { ...alert, description: `${alert.description}\n${why}` } } : {}),
  };
}

/** Sends a step of an escalation that is due. */

import { v7 as uuidv7 } from 'uuid';
import type { IncidentRow } from '@/lib/incidents/incident-rows';
import { afterCommit } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { formatSpan } from '@/lib/platform/format/duration';
import { isSuperseding } from '../alert';
import { incidentEvent } from '../announce-incident';
import { type ChannelRow, listChannelRows } from '../channels/data';
import { loadSubject } from '../data';
import { ESCALATED_EVENT } from '../escalated-event';
import { type Message, messageOf } from '../message';
import { insertDeliveries } from '../outbox/data';
import { listFirstInLine } from '../outbox/sending-data';
import { reportToAdmins } from '../report-to-admins';
import type { Happening } from '../schema';
import {
  insertStep,
  listAnnouncedChannels,
  listScheduleRows,
  listSteps,
  type StoredEscalation,
} from './data';
import { type EscalationDecision, stepOf } from './due-step';
import { escalationSteps } from './metrics';
import { chooseStep } from './recipients';
import { isAnyoneReached, type Recipients, unreachedWords } from './schema';

/** A step that is over. `recipients` null: it was skipped. */
interface Result {
  number: number;
  recipients: Recipients | null;
}

interface Escalated {
  organizationId: OrganizationId;
  incident: IncidentRow;
  escalation: StoredEscalation;
  about: Omit<Happening, 'occasion'>;
  due: Extract<EscalationDecision, { kind: 'send' }>;
  now: Date;
}

/**
 * Sends the step that is due. If its channels are off or deleted, the next one is sent at once; if no step
 * reaches anybody, admins are notified, once in each run.
 *
 * @returns the newest step that is over, and ids of the new deliveries to enqueue after the commit
 */
export async function sendStep(
  db: TenantDb,
  given: Omit<Escalated, 'about'>,
): Promise<{ lastNumber: number; deliveryIds: string[] }> {
  const { organizationId, incident, escalation, due, now } = given;
  const notice = incident.needsHumanSince ? 'needs_human' : 'opened';
  const of = { ...given, about: await incidentEvent(db, incident, notice, now) };
  const subject = of.about.event.alert?.dedupKey;
  const { send, tried } = chooseStep(escalation.plan, due, {
    schedules: await listScheduleRows(db),
    channels: await listChannelRows(db),
    announced: subject ? await listAnnouncedChannels(db, subject, due.dueAt) : [],
    now,
  });
  const numbers = [...new Set([...due.skipped, ...tried.keys()])].toSorted((a, b) => a - b);
  const results = numbers.map((number) => ({ number, recipients: tried.get(number) ?? null }));
  const reason = unreachedSentence(results, escalation);
  const isNews = !send && !(await isUnreachedReported(db, incident.id, escalation.run));
  const ids = send
    ? await insertDeliveries(db, organizationId, messagesOf(of, send, reason))
    : isNews
      ? await reportUnreached(db, of, reason)
      : [];
  const lastNumber = Math.max(...numbers);
  for (const { number, recipients } of results) {
    const reportedTo = isNews && number === lastNumber ? reportOf(ids) : null;
    const place = { incidentId: incident.id, run: escalation.run, number, at: now };
    await insertStep(db, organizationId, place, recipients && { ...recipients, reportedTo });
    afterCommit(db, () => escalationSteps.add({ result: metricOf(recipients) }));
  }
  return { lastNumber, deliveryIds: await listFirstInLine(db, organizationId, ids, now) };
}

async function isUnreachedReported(db: TenantDb, incidentId: string, run: number) {
  const steps = await listSteps(db, incidentId, run);
  return steps.some(({ recipients }) => recipients?.reportedTo != null);
}

function reportOf(ids: readonly string[]): Recipients['reportedTo'] {
  return ids.length > 0 ? 'admins' : 'feed';
}

function metricOf(recipients: Recipients | null) {
  if (recipients === null) return 'skipped';
  return isAnyoneReached(recipients) ? 'sent' : 'reached_nobody';
}

/** `Step 1 of 2 reached nobody: Ana is disabled.`; empty if each reached somebody. */
function unreachedSentence(results: readonly Result[], { plan }: StoredEscalation): string {
  return results
    .flatMap(({ number, recipients }) => {
      if (recipients === null || isAnyoneReached(recipients)) return [];
      const name = stepName(number, plan.steps.length);
      const sentence = `${name} reached nobody: ${unreachedWords(recipients)}.`;
      return [`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`];
    })
    .join(' ');
}

/** `step 2 of 2`; `repeat 1 of step 2`. */
function stepName(number: number, stepCount: number): string {
  const repeats = number - stepCount;
  return repeats > 0 ? `repeat ${repeats} of step ${stepCount}` : `step ${number} of ${stepCount}`;
}

/** The message about the incident as it is, with why it is sent again, for each channel. */
function messagesOf(
  { about, escalation, incident, due, now }: Escalated,
  { number, notify }: { number: number; notify: readonly ChannelRow[] },
  reason: string,
) {
  const { plan, policyName, run } = escalation;
  const which = stepName(number, plan.steps.length);
  const repeats = Math.max(0, due.number - plan.steps.length);
  const minutes = stepOf(plan, due.number)?.afterMinutes ?? 0;
  const waited = minutes + repeats * plan.repeatMinutes;
  const why = [
    `Escalation “${policyName}”, ${which}.`,
    ...(waited === 0 ? [] : [`Nobody has worked on it for ${formatSpan(waited * 60)}.`]),
    ...(reason ? [reason] : []),
    'Acknowledge the incident to stop the escalation.',
  ].join(' ');
  const { event, chainId } = about;
  const { alert, ...message } = messageOf(event);
  const body: Message = {
    ...message,
    title: `${message.title.replace(/ opened$/, ' is open')} (escalation ${which})`,
    lines: [...message.lines, why],
    ...(alert ? { alert: { ...alert, description: `${alert.description}\n${why}` } } : {}),
  };
  return notify.map((channel) => ({
    id: uuidv7(),
    channelId: channel.id,
    chainId,
    eventType: ESCALATED_EVENT,
    occasion: `${ESCALATED_EVENT}:${incident.id}:${run}:${number}`,
    subject: event.alert?.dedupKey ?? null,
    sequence: event.alert ? BigInt(event.alert.sequence) : null,
    supersedes: event.alert ? channel.alertsOnly && isSuperseding(event.alert) : false,
    body: JSON.stringify(body),
    nextAttemptAt: now,
    createdAt: now,
  }));
}

/** @returns ids of the new deliveries to admins */
async function reportUnreached(
  db: TenantDb,
  { organizationId, incident, escalation, about, now }: Escalated,
  reason: string,
): Promise<string[]> {
  const { project } = await loadSubject(db, incident.projectId, null);
  const { summary, link } = about.event.data;
  const name = `Incident #${incident.number}`;
  return reportToAdmins(
    db,
    organizationId,
    {
      code: 'ESCALATION_UNREACHED',
      title: `The escalation of ${name} in ${project.name} has nobody left to notify`,
      message: `${summary} Escalation “${escalation.policyName}” has nobody left to notify. ${reason} Work on the incident, and switch the channels on or choose others in the policy.`,
      projectId: incident.projectId,
      chainId: null,
      linkOf: () => ({ url: link, label: 'Open the incident' }),
      occasion: `escalation.unreached:${incident.id}:${escalation.run}`,
    },
    now,
  );
}

/** Sends a step that is due. */

import { listPagedChannels, pageFacts, writePage } from '@/lib/deliveries/page';
import { reportToAdmins } from '@/lib/deliveries/report-to-admins';
import { listPeopleOfRoles } from '@/lib/identity/members/list-members';
import type { ShownIncident } from '@/lib/incidents/incident-rows';
import { afterCommit } from '@/lib/platform/db/raw';
import { ROLES } from '@/lib/platform/db/roles';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { formatSpan } from '@/lib/platform/format/duration';
import { getProjectRow } from '@/lib/projects/project-rows';
import { insertStep, listCalendarRows, listSteps, type StoredRun } from './data';
import { type PagingDecision, stepOf } from './due-step';
import { countStep } from './metrics';
import { chooseStep } from './recipients';
import type { Recipients } from './schema';
import { asSentence, calendarWords, isAnyoneReached, stepName, unreachedWords } from './words';

/** As many members as paging looks for among those whom a step or a calendar names. */
export const MAX_MEMBERS = 1_000;

/** A step that is over. `recipients` null: it was skipped. */
interface Result {
  number: number;
  recipients: Recipients | null;
}

interface Sending {
  incident: ShownIncident;
  run: StoredRun;
  due: Extract<PagingDecision, { kind: 'send' }>;
  now: Date;
}

/**
 * Sends the step that is due. If it reaches nobody, the next one is sent at once; if no step does, admins are
 * notified, once in each run.
 *
 * @returns the newest step that is over, and ids of the new deliveries to enqueue after the commit
 */
export async function sendStep(
  db: TenantDb,
  sending: Sending,
): Promise<{ lastNumber: number; deliveryIds: string[] }> {
  const { incident, run, due, now } = sending;
  const { about, ...facts } = await pageFacts(db, incident, due.dueAt, now);
  const { send, tried } = chooseStep(run.plan, due, {
    ...facts,
    calendars: await listCalendarRows(db),
    channels: await listPagedChannels(db),
    members: await listPeopleOfRoles(db, ROLES, MAX_MEMBERS),
    now,
  });
  const numbers = [...new Set([...due.skipped, ...tried.keys()])].toSorted((a, b) => a - b);
  const results = numbers.map((number) => ({ number, recipients: tried.get(number) ?? null }));
  const unreached = unreachedSentences(results, sending);
  const isNews = !send && !(await isUnreachedReported(db, incident.id, run.run));
  const deliveryIds = send
    ? await writePage(
        db,
        {
          ...{ about, channels: send.channels, mailTo: send.members.map(({ email }) => email) },
          step: stepName(send.number, run.plan.steps.length),
          why: whySentences(sending, send, unreached),
          occasion: `${incident.id}:${run.run}:${send.number}`,
        },
        now,
      )
    : isNews
      ? await reportUnreached(db, sending, about.event.data, unreached)
      : [];
  const lastNumber = Math.max(...numbers);
  for (const { number, recipients } of results) {
    const reportedTo = isNews && number === lastNumber ? reportOf(deliveryIds) : null;
    const place = { incidentId: incident.id, run: run.run, number, at: now };
    await insertStep(db, place, recipients && { ...recipients, reportedTo });
    afterCommit(db, () => countStep(metricOf(recipients)));
  }
  return { lastNumber, deliveryIds };
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
function unreachedSentences(results: readonly Result[], { run, now }: Sending): string {
  return results
    .flatMap(({ number, recipients }) => {
      if (recipients === null || isAnyoneReached(recipients)) return [];
      const name = stepName(number, run.plan.steps.length);
      return [asSentence(`${name} reached nobody: ${unreachedWords(recipients, now)}`)];
    })
    .join(' ');
}

/** Why the message is sent again. */
function whySentences(
  { run: { plan, policyName }, due, now }: Sending,
  { number, recipients }: { number: number; recipients: Recipients },
  unreached: string,
): string {
  const repeats = Math.max(0, due.number - plan.steps.length);
  const minutes = stepOf(plan, due.number)?.afterMinutes ?? 0;
  const waited = minutes + repeats * plan.repeatMinutes;
  return [
    `Paging policy “${policyName}”, ${stepName(number, plan.steps.length)}.`,
    waited === 0 ? '' : `Nobody has worked on it for ${formatSpan(waited * 60)}.`,
    unreached,
    asSentence(calendarWords(recipients, now) ?? ''),
    'Acknowledge the incident to stop paging.',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** @returns ids of the new deliveries to admins */
async function reportUnreached(
  db: TenantDb,
  { incident, run, now }: Sending,
  { summary, link }: { summary: string; link: string },
  unreached: string,
): Promise<string[]> {
  const { name } = await getProjectRow(db, incident.projectId);
  return reportToAdmins(
    db,
    {
      code: 'PAGING_UNREACHED',
      title: `Paging for Incident #${incident.number} in ${name} has nobody left to notify`,
      message: `${summary} Paging policy “${run.policyName}” has nobody left to notify. ${unreached} Work on the incident, and switch the channels on or choose others in the policy.`,
      projectId: incident.projectId,
      chainId: null,
      linkOf: () => ({ url: link, label: 'Open the incident' }),
      occasion: `paging.unreached:${incident.id}:${run.run}`,
    },
    now,
  );
}

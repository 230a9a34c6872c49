/** Paging policies: who is notified of an incident that nobody works on, and when. */

import { v7 as uuidv7 } from 'uuid';
import { listPagedChannels } from '@/lib/deliveries/page';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { listPeopleOfRoles } from '@/lib/identity/members/list-members';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import { ROLES } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError, InvalidError, NotFoundError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { checkTarget } from '@/lib/platform/outbound-http/target-policy';
import { requireProject } from '@/lib/projects/manage-project';
import {
  assignProjects,
  deletePolicyRow,
  deleteUnusedCalendars,
  insertCalendar,
  insertPolicy,
  listCalendarRows,
  listPolicyRows,
  type StoredCalendar,
  type StoredPolicy,
  updatePolicy as writePolicy,
} from './data';
import { onCallIn, type Person } from './on-call';
import { sealAddress } from './read-calendars';
import type { CalendarDto, PolicyDto, PolicyInput, Step } from './schema';
import { MAX_MEMBERS } from './send-step';
import { unreadWords } from './words';

const MAX_POLICIES = 50;

/** As many addresses as are read for one organization. */
const MAX_CALENDARS = 20;

/** Returns every policy of the organization, by name, with who is on call now. */
export function listPolicies(scope: TenantScope, now = new Date()): Promise<PolicyDto[]> {
  return inTransaction(scope, async (db) => {
    const onCall = await loadOnCall(db);
    return (await listPolicyRows(db)).map((row) => toDto(row, onCall, now));
  });
}

/** @param policyId `esp_…` @throws NotFoundError */
export function getPolicy(
  scope: TenantScope,
  policyId: string,
  now = new Date(),
): Promise<PolicyDto> {
  const id = requireId('esp', policyId);
  return inTransaction(scope, async (db) => toDto(await getRow(db, id), await loadOnCall(db), now));
}

/**
 * Creates a policy. It applies to incidents that are announced afterwards.
 *
 * @throws InvalidError for a name that another policy has, or a channel, member, calendar or project that isn't there
 * @throws ConflictError for a project that uses another policy
 */
export function createPolicy(
  scope: TenantScope,
  input: PolicyInput,
  now = new Date(),
): Promise<PolicyDto> {
  return savePolicy(scope, null, input, now);
}

/**
 * Replaces a policy as a whole. Incidents that people are being paged for keep the steps that they began with.
 *
 * @throws NotFoundError, InvalidError, ConflictError
 */
export function updatePolicy(
  scope: TenantScope,
  policyId: string,
  input: PolicyInput,
  now = new Date(),
): Promise<PolicyDto> {
  return savePolicy(scope, policyId, input, now);
}

function savePolicy(
  scope: TenantScope,
  policyId: string | null,
  input: PolicyInput,
  now: Date,
): Promise<PolicyDto> {
  requireMay(scope, 'channel.manage');
  const ownId = policyId === null ? null : requireId('esp', policyId);
  return inTransaction(scope, async (db) => {
    const before = ownId === null ? null : await getRow(db, ownId);
    const others = await listPolicyRows(db);
    if (!before && others.length >= MAX_POLICIES) {
      throw new ConflictError(
        `An organization has at most ${MAX_POLICIES} paging policies. Delete one first.`,
      );
    }
    const projectIds = await requireProjects(db, others, input, ownId);
    await requireTargets(db, input);
    const steps = await withCalendars(db, input, now);
    const { name, repeatTimes, repeatMinutes } = input;
    const fields = { name, steps, repeatTimes, repeatMinutes };
    const { id, createdAt } = before ?? { id: uuidv7(), createdAt: now };
    if (before) await writePolicy(db, id, fields);
    else await insertPolicy(db, { ...fields, id, createdAt });
    await assignProjects(db, id, projectIds);
    await deleteUnusedCalendars(db);
    const onCall = await loadOnCall(db);
    if (onCall.calendars.length > MAX_CALENDARS) {
      throw new ConflictError(
        `Steps of an organization use at most ${MAX_CALENDARS} on-call calendars. Remove one first.`,
      );
    }
    const after = { ...fields, id, projectIds, createdAt };
    await recordAudit(db, scope, {
      action: before ? 'paging_policy.updated' : 'paging_policy.created',
      target: encodeId('esp', id),
      detail: { ...(before ? { before: auditedOf(before) } : {}), after: auditedOf(after) },
    });
    return toDto(after, onCall, now);
  });
}

/** Deletes a policy. Nobody is paged for incidents of its projects that are announced afterwards. */
export function deletePolicy(scope: TenantScope, policyId: string): Promise<void> {
  requireMay(scope, 'channel.manage');
  const id = requireId('esp', policyId);
  return inTransaction(scope, async (db) => {
    const before = await getRow(db, id);
    await deletePolicyRow(db, id);
    await deleteUnusedCalendars(db);
    await recordAudit(db, scope, {
      action: 'paging_policy.deleted',
      target: policyId,
      detail: { before: auditedOf(before) },
    });
  });
}

async function getRow(db: TenantDb, id: string): Promise<StoredPolicy> {
  const row = (await listPolicyRows(db)).find((each) => each.id === id);
  if (!row) throw new NotFoundError();
  return row;
}

/** Refuses a name that another policy has, and projects that use one. Returns UUIDs of the projects. */
async function requireProjects(
  db: TenantDb,
  all: readonly StoredPolicy[],
  input: PolicyInput,
  ownId: string | null,
): Promise<string[]> {
  const projects = [];
  for (const projectId of input.projectIds) projects.push(await requireProject(db, projectId));
  const others = all.filter(({ id }) => id !== ownId);
  if (others.some(({ name }) => name === input.name)) {
    const message = 'This name is already used. Pick a different one.';
    throw new InvalidError(message, { name: message });
  }
  for (const { id, name } of projects) {
    const other = others.find((each) => each.projectIds.includes(id));
    if (!other) continue;
    throw new ConflictError(
      `Project ${name} uses the paging policy ${other.name}, and a project has at most one. Remove it there first.`,
    );
  }
  return [...new Set(projects.map(({ id }) => id))];
}

/** Stores new addresses, and returns the steps with the ids of their calendars. */
async function withCalendars(
  db: TenantDb,
  { steps }: PolicyInput,
  createdAt: Date,
): Promise<Step[]> {
  const stored = [];
  for (const [index, { calendarUrl, ...step }] of steps.entries()) {
    const id = uuidv7();
    if (calendarUrl !== undefined) {
      const target = checkTarget(calendarUrl, { allowPrivate: env().allowPrivateTargets });
      if (!target.ok) {
        throw new InvalidError(target.message, { [`steps.${index}.calendarUrl`]: target.message });
      }
      const { host, href } = target.url;
      const urlSealed = sealAddress(href, id);
      await insertCalendar(db, { id, host, urlSealed, createdAt });
    }
    stored.push(calendarUrl === undefined ? step : { ...step, calendarId: encodeId('cal', id) });
  }
  return stored;
}

/** Refuses channels, members and calendars that the organization doesn't have. */
async function requireTargets(db: TenantDb, { steps }: PolicyInput): Promise<void> {
  const channels = (await listPagedChannels(db)).map(({ id }): string => encodeId('ntc', id));
  const people = await listPeopleOfRoles(db, ROLES, MAX_MEMBERS);
  const members = people.map(({ id }): string => encodeId('mem', id));
  const calendars = (await listCalendarRows(db)).map(({ id }): string => encodeId('cal', id));
  steps.forEach(({ channelIds, memberIds, calendarId }, index) => {
    const refuse = (field: string, noun: string, ids: readonly string[], known: string[]) => {
      const missing = ids.filter((id) => !known.includes(id));
      if (missing.length === 0) return;
      const message = `The organization has no ${noun} ${missing.join(', ')}. It may have been deleted. Choose another one.`;
      throw new InvalidError(message, { [`steps.${index}.${field}`]: message });
    };
    refuse('channelIds', 'notification channel', channelIds, channels);
    refuse('memberIds', 'member', memberIds, members);
    refuse('calendarId', 'on-call calendar', calendarId === null ? [] : [calendarId], calendars);
  });
}

async function loadOnCall(db: TenantDb) {
  const people = await listPeopleOfRoles(db, ROLES, MAX_MEMBERS);
  return { people, calendars: await listCalendarRows(db) };
}

function toDto(
  row: StoredPolicy,
  { people, calendars }: { people: readonly Person[]; calendars: readonly StoredCalendar[] },
  now: Date,
): PolicyDto {
  const { name, steps, repeatTimes, repeatMinutes, projectIds, createdAt } = row;
  const calendarOf = (calendarId: string | null): CalendarDto | null => {
    const calendar = calendars.find(({ id }) => encodeId('cal', id) === calendarId);
    if (!calendar) return null;
    const found = onCallIn(calendar, people, now);
    return {
      name: calendar.name,
      readAt: calendar.readAt?.toISOString() ?? null,
      failure: found.kind === 'unknown' ? unreadWords(found.failure, found.since, now) : null,
      onCall: found.kind === 'known' ? found.members.map((each) => each.name || each.email) : [],
      unknown: found.kind === 'known' ? found.unknown : [],
    };
  };
  return {
    id: encodeId('esp', row.id),
    ...{ name, repeatTimes, repeatMinutes },
    steps: steps.map(({ scheduleId: _, ...step }) => ({
      ...step,
      calendar: calendarOf(step.calendarId),
    })),
    projectIds: projectIds.map((id) => encodeId('prj', id)),
    createdAt: createdAt.toISOString(),
    warnings: steps.flatMap(({ scheduleId }, index) =>
      scheduleId
        ? [
            `Step ${index + 1} names the on-call schedule ${scheduleId}, which is ignored: schedules were removed. Enter an iCal address.`,
          ]
        : [],
    ),
  };
}

function auditedOf({ name, steps, repeatTimes, repeatMinutes, projectIds }: StoredPolicy) {
  const projects = projectIds.map((id) => encodeId('prj', id));
  return { name, steps, repeatTimes, repeatMinutes, projectIds: projects };
}

import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';
import { executeRaw, queryRaw, toJson } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { decodeId } from '@/lib/platform/ids';
import type { Progress } from './due-step';
import {
  type Calendar,
  type CalendarEvent,
  calendarEventsSchema,
  type ReadFailure,
  readFailureSchema,
} from './on-call';
import {
  type Plan,
  type PolicyInput,
  planSchema,
  type Recipients,
  recipientsSchema,
  stepsSchema,
} from './schema';

/** Returns the policy of a project; null if it has none. `projectId` is a UUID. */
export async function findPolicyOfProject(
  db: TenantDb,
  projectId: string,
): Promise<{ name: string; plan: Plan } | null> {
  const row = await db.projectPagingPolicy.findFirst({
    where: { projectId },
    select: { policy: true },
  });
  if (!row) return null;
  const { name, ...policy } = row.policy;
  return { name, plan: planSchema.parse(policy) };
}

/** Starts paging for an incident, or starts it again from the first step. */
export async function writeRun(
  db: TenantDb,
  organizationId: OrganizationId,
  started: { incidentId: string; run: number; policyName: string; plan: Plan; at: Date },
): Promise<void> {
  const { incidentId, run, policyName, plan, at } = started;
  const columns = {
    ...{ run, policyName, plan: toJson(plan), startedAt: at, lastNumber: 0, elapsedMs: 0 },
    ...{ runningSince: at, nextAt: at, seenSequence: run, endedAt: null, tries: 0, retryAt: null },
  };
  await db.pagingRun.upsert({
    where: { organizationId_incidentId: { organizationId, incidentId } },
    create: { organizationId, incidentId, ...columns },
    update: columns,
  });
}

/** Ends the paging of an incident, if it has one that hasn't ended. */
export async function endRun(db: TenantDb, incidentId: string, at: Date): Promise<void> {
  await db.pagingRun.updateMany({
    where: { incidentId, endedAt: null },
    data: { endedAt: at, runningSince: null, nextAt: null },
  });
}

/** How long a run that fails is put off: after the first time, and at most. */
const SHORTEST_RETRY_SECONDS = 15;
const LONGEST_RETRY_SECONDS = 900;

/**
 * Returns runs of every organization that are due, or whose incident has changed, and puts them off: one
 * that fails, or is left by a process that dies, comes after the others, each time later.
 */
export function takeDueRuns(
  now: Date,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  return systemDb('paging of every organization').$queryRaw(
    Prisma.sql`with due as (
        select r.organization_id, r.incident_id from paging_run r
        join incident i on i.organization_id = r.organization_id and i.id = r.incident_id
        where r.ended_at is null
          and (r.next_at <= ${now}::timestamptz or r.seen_sequence <> i.sequence)
          and (r.retry_at is null or r.retry_at <= ${now}::timestamptz)
        order by greatest(r.next_at, r.retry_at) nulls first limit ${limit}
        for update of r skip locked
      )
      update paging_run r
      set tries = r.tries + 1, retry_at = ${now}::timestamptz + make_interval(
        secs => least(${LONGEST_RETRY_SECONDS}, ${SHORTEST_RETRY_SECONDS} * power(2, least(r.tries, 10))))
      from due
      where r.organization_id = due.organization_id and r.incident_id = due.incident_id
      returning r.incident_id as id, r.organization_id as "organizationId"`,
  );
}

export interface StoredRun extends Progress {
  run: number;
  policyName: string;
  startedAt: Date;
  endedAt: Date | null;
}

/** Locks the run of an incident until the transaction ends; null if there is none that runs. */
export async function lockRun(
  db: TenantDb,
  organizationId: OrganizationId,
  incidentId: string,
): Promise<StoredRun | null> {
  await queryRaw(
    db,
    Prisma.sql`select from paging_run
      where organization_id = ${organizationId}::uuid and incident_id = ${incidentId}::uuid for update`,
  );
  const run = await findRun(db, incidentId);
  return run?.endedAt === null ? run : null;
}

export async function findRun(db: TenantDb, incidentId: string): Promise<StoredRun | null> {
  const row = await db.pagingRun.findFirst({ where: { incidentId } });
  return row && { ...row, plan: planSchema.parse(row.plan), elapsedMs: Number(row.elapsedMs) };
}

/** Stores how far a run is; looking at it has succeeded, so it isn't put off. */
export async function updateProgress(
  db: TenantDb,
  incidentId: string,
  { lastNumber, elapsedMs, runningSince }: Progress,
  { nextAt, seenSequence }: { nextAt: Date | null; seenSequence: number },
): Promise<void> {
  await db.pagingRun.updateMany({
    where: { incidentId },
    data: {
      ...{ lastNumber, elapsedMs, runningSince, nextAt, seenSequence },
      ...{ tries: 0, retryAt: null },
    },
  });
}

/** Stores a step that is over. `recipients` null: it was skipped. */
export async function insertStep(
  db: TenantDb,
  organizationId: OrganizationId,
  step: { incidentId: string; run: number; number: number; at: Date },
  recipients: Recipients | null,
): Promise<void> {
  await db.pagingStep.create({
    data: { organizationId, ...step, ...(recipients ? { recipients: toJson(recipients) } : {}) },
  });
}

/** Returns the steps of an incident's current run, in order. */
export async function listSteps(db: TenantDb, incidentId: string, run: number) {
  const rows = await db.pagingStep.findMany({
    where: { incidentId, run },
    orderBy: { number: 'asc' },
  });
  return rows.map(({ number, at, recipients }) => ({
    ...{ number, at },
    recipients: recipientsSchema.nullable().parse(recipients),
  }));
}

/** What is stored of a calendar. */
export interface StoredCalendar extends Calendar {
  /** UUID. */
  id: string;
}

/** Returns every calendar of the organization. */
export async function listCalendarRows(db: TenantDb): Promise<StoredCalendar[]> {
  const rows = await db.oncallCalendar.findMany({ orderBy: { id: 'asc' } });
  return rows.map((row) => ({
    ...row,
    name: row.name ?? row.host,
    events: calendarEventsSchema.parse(row.events),
    failure: readFailureSchema.nullable().parse(row.failure),
  }));
}

export async function insertCalendar(
  db: TenantDb,
  organizationId: OrganizationId,
  calendar: { id: string; host: string; urlSealed: string; createdAt: Date },
): Promise<void> {
  const { createdAt } = calendar;
  await db.oncallCalendar.create({ data: { organizationId, ...calendar, readDueAt: createdAt } });
}

/** Deletes the calendars that neither a policy names nor the plan of an incident that people are paged for. */
export async function deleteUnusedCalendars(db: TenantDb): Promise<void> {
  const runs = await db.pagingRun.findMany({ where: { endedAt: null }, select: { plan: true } });
  const steps = [
    ...(await listPolicyRows(db)).flatMap((policy) => policy.steps),
    ...runs.flatMap(({ plan }) => planSchema.safeParse(plan).data?.steps ?? []),
  ];
  const used = steps.flatMap(({ calendarId }) => (calendarId && decodeId('cal', calendarId)) || []);
  await db.oncallCalendar.deleteMany({ where: { id: { notIn: used } } });
}

/** How often calendars are read, and how soon again after a failure. */
const READ_SECONDS = 300;
const RETRY_SECONDS = 60;

/** Returns calendars of every organization that are due, and puts them off: another process doesn't read them too. */
export function takeDueCalendars(
  now: Date,
  limit: number,
): Promise<{ id: string; organizationId: string; urlSealed: string }[]> {
  return systemDb('on-call calendars of every organization').$queryRaw(
    Prisma.sql`with due as (
        select id from oncall_calendar where read_due_at <= ${now}::timestamptz
        order by read_due_at limit ${limit} for update skip locked
      )
      update oncall_calendar c
      set read_due_at = ${now}::timestamptz + make_interval(secs => ${READ_SECONDS})
      from due
      where c.id = due.id
      returning c.id, c.organization_id as "organizationId", c.url_sealed as "urlSealed"`,
  );
}

/**
 * Stores what reading a calendar resulted in. After a failure that isn't the file's, it is read again after a minute.
 */
export async function storeReading(
  db: TenantDb,
  organizationId: OrganizationId,
  id: string,
  reading: { name: string | null; events: CalendarEvent[] } | { failure: ReadFailure },
  now: Date,
): Promise<void> {
  if ('events' in reading) {
    const { name, events } = reading;
    const read = { readAt: now, failingSince: null, failure: Prisma.DbNull };
    await db.oncallCalendar.updateMany({
      where: { id },
      data: { name, events: toJson(events), ...read },
    });
    return;
  }
  const isOfFile = reading.failure.reason === 'too_complex';
  await executeRaw(
    db,
    Prisma.sql`update oncall_calendar
      set failing_since = coalesce(failing_since, ${now}::timestamptz),
        failure = ${JSON.stringify(reading.failure)}::jsonb,
        read_due_at = ${now}::timestamptz + make_interval(secs => ${isOfFile ? READ_SECONDS : RETRY_SECONDS})
      where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  );
}

export interface StoredPolicy extends Plan {
  /** UUID. */
  id: string;
  name: string;
  /** UUIDs. */
  projectIds: string[];
  createdAt: Date;
}

/** Returns every policy of the organization, by name. */
export async function listPolicyRows(db: TenantDb): Promise<StoredPolicy[]> {
  const rows = await db.pagingPolicy.findMany({
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    include: { projects: { select: { projectId: true }, orderBy: { projectId: 'asc' } } },
  });
  return rows.map((row) => ({
    ...row,
    steps: stepsSchema.parse(row.steps),
    projectIds: row.projects.map(({ projectId }) => projectId),
  }));
}

type PolicyFields = Omit<PolicyInput, 'projectIds'>;

export async function insertPolicy(
  db: TenantDb,
  organizationId: OrganizationId,
  policy: PolicyFields & { id: string; createdAt: Date },
): Promise<void> {
  await db.pagingPolicy.create({
    data: { organizationId, ...policy, steps: toJson(policy.steps) },
  });
}

/** @throws NotFoundError */
export async function updatePolicy(
  db: TenantDb,
  id: string,
  { name, steps, repeatTimes, repeatMinutes }: PolicyFields,
): Promise<void> {
  const { count } = await db.pagingPolicy.updateMany({
    where: { id },
    data: { name, steps: toJson(steps), repeatTimes, repeatMinutes },
  });
  if (count === 0) throw new NotFoundError();
}

/** Makes these the projects that use a policy. Ids are UUIDs. */
export async function assignProjects(
  db: TenantDb,
  organizationId: OrganizationId,
  policyId: string,
  projectIds: readonly string[],
): Promise<void> {
  await db.projectPagingPolicy.deleteMany({
    where: { policyId, projectId: { notIn: [...projectIds] } },
  });
  await db.projectPagingPolicy.createMany({
    data: projectIds.map((projectId) => ({ organizationId, projectId, policyId })),
    skipDuplicates: true,
  });
}

/** @throws NotFoundError */
export async function deletePolicyRow(db: TenantDb, id: string): Promise<void> {
  const { count } = await db.pagingPolicy.deleteMany({ where: { id } });
  if (count === 0) throw new NotFoundError();
}

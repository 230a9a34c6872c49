import { sql } from 'kysely';
import { Prisma } from '@/generated/prisma/client';
import { lockDue } from '@/lib/platform/db/due';
import { toJson } from '@/lib/platform/db/raw';
import { changedBy, json, query, sqlChanges, systemRows } from '@/lib/platform/db/sql';
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
  started: { incidentId: string; run: number; policyName: string; plan: Plan; at: Date },
): Promise<void> {
  const { incidentId, run, policyName, plan, at } = started;
  const columns = {
    ...{ run, policyName, plan: toJson(plan), startedAt: at, lastNumber: 0, elapsedMs: 0 },
    ...{ runningSince: at, nextAt: at, seenSequence: run, endedAt: null, tries: 0, retryAt: null },
  };
  await db.pagingRun.upsert({
    where: { organizationId_incidentId: { organizationId: db.organizationId, incidentId } },
    create: { organizationId: db.organizationId, incidentId, ...columns },
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
 * Returns runs that are due, or whose incident has changed, organizations in turns, and puts them off: one
 * that fails, or is left by a process that dies, comes after the others, each time later.
 */
export function takeDueRuns(now: Date, limit: number) {
  const seconds = sql`least(${LONGEST_RETRY_SECONDS}, ${SHORTEST_RETRY_SECONDS} * power(2, least(r.tries, 10)))`;
  return systemRows(
    'paging of every organization',
    query
      .with('due', () =>
        lockDue({
          ...{ table: 'pagingRun', key: 'incidentId', limit },
          dueAt: () => sql<Date | null>`greatest(next_at, retry_at)`,
          isDue: () =>
            sql<boolean>`ended_at is null and (retry_at is null or retry_at <= ${now}) and (next_at <= ${now}
              or exists (select from incident i where i.organization_id = paging_run.organization_id
                and i.id = paging_run.incident_id and i.sequence <> paging_run.seen_sequence))`,
        }),
      )
      .updateTable('pagingRun as r')
      .from('due')
      .set(({ eb }) => ({
        tries: eb('r.tries', '+', 1),
        retryAt: sql`${now}::timestamptz + make_interval(secs => ${seconds})`,
      }))
      .whereRef('r.organizationId', '=', 'due.organizationId')
      .whereRef('r.incidentId', '=', 'due.id')
      .returning(['r.incidentId as id', 'r.organizationId']),
  );
}

export interface StoredRun extends Progress {
  run: number;
  policyName: string;
  startedAt: Date;
  endedAt: Date | null;
}

/** Locks the run of an incident until the transaction ends; null if there is none that runs. */
export async function lockRun(db: TenantDb, incidentId: string): Promise<StoredRun | null> {
  await sqlChanges(db)`select from paging_run
      where organization_id = ${db.organizationId} and incident_id = ${incidentId} for update`;
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
  step: { incidentId: string; run: number; number: number; at: Date },
  recipients: Recipients | null,
): Promise<void> {
  await db.pagingStep.create({
    data: {
      organizationId: db.organizationId,
      ...step,
      ...(recipients ? { recipients: toJson(recipients) } : {}),
    },
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
  calendar: { id: string; host: string; urlSealed: string; createdAt: Date },
): Promise<void> {
  const { createdAt } = calendar;
  await db.oncallCalendar.create({
    data: { organizationId: db.organizationId, ...calendar, readDueAt: createdAt },
  });
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

/** Returns calendars that are due, organizations in turns, and puts them off: another process doesn't read them too. */
export function takeDueCalendars(now: Date, limit: number) {
  return systemRows(
    'on-call calendars of every organization',
    query
      .with('due', () =>
        lockDue({
          ...{ table: 'oncallCalendar', key: 'id', limit },
          dueAt: ({ ref }) => ref('readDueAt'),
          isDue: (row) => row('readDueAt', '<=', now),
        }),
      )
      .updateTable('oncallCalendar as c')
      .from('due')
      .set({ readDueAt: secondsAfter(now, READ_SECONDS) })
      .whereRef('c.organizationId', '=', 'due.organizationId')
      .whereRef('c.id', '=', 'due.id')
      .returning(['c.id', 'c.organizationId', 'c.urlSealed']),
  );
}

function secondsAfter(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1_000);
}

/**
 * Stores what reading a calendar resulted in. After a failure that isn't the file's, it is read again after a minute.
 */
export async function storeReading(
  db: TenantDb,
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
  await changedBy(
    db,
    query
      .updateTable('oncallCalendar')
      .set(({ fn, val }) => ({
        failingSince: fn.coalesce('failingSince', val(now)),
        failure: json(reading.failure),
        readDueAt: secondsAfter(now, isOfFile ? READ_SECONDS : RETRY_SECONDS),
      }))
      .where('organizationId', '=', db.organizationId)
      .where('id', '=', id),
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
  policy: PolicyFields & { id: string; createdAt: Date },
): Promise<void> {
  await db.pagingPolicy.create({
    data: { organizationId: db.organizationId, ...policy, steps: toJson(policy.steps) },
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
  policyId: string,
  projectIds: readonly string[],
): Promise<void> {
  await db.projectPagingPolicy.deleteMany({
    where: { policyId, projectId: { notIn: [...projectIds] } },
  });
  await db.projectPagingPolicy.createMany({
    data: projectIds.map((projectId) => ({
      organizationId: db.organizationId,
      projectId,
      policyId,
    })),
    skipDuplicates: true,
  });
}

/** @throws NotFoundError */
export async function deletePolicyRow(db: TenantDb, id: string): Promise<void> {
  const { count } = await db.pagingPolicy.deleteMany({ where: { id } });
  if (count === 0) throw new NotFoundError();
}

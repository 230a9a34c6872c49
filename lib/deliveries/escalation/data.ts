import type { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';
import { queryRaw, toJson } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import type { Progress } from './due-step';
import {
  type Plan,
  type PolicyInput,
  planSchema,
  type Recipients,
  recipientsSchema,
  type ScheduleInput,
  shiftsSchema,
  stepsSchema,
} from './schema';

/** Returns the policy of a project; null if it has none. `projectId` is a UUID. */
export async function findPolicyOfProject(
  db: TenantDb,
  projectId: string,
): Promise<{ name: string; plan: Plan } | null> {
  const row = await db.projectEscalation.findFirst({
    where: { projectId },
    select: { policy: true },
  });
  if (!row) return null;
  const { name, ...policy } = row.policy;
  return { name, plan: planSchema.parse(policy) };
}

/** Starts the escalation of an incident, or starts it again from the first step. */
export async function writeEscalation(
  db: TenantDb,
  organizationId: OrganizationId,
  escalation: { incidentId: string; run: number; policyName: string; plan: Plan; at: Date },
): Promise<void> {
  const { incidentId, run, policyName, plan, at } = escalation;
  const columns = {
    ...{ run, policyName, plan: toJson(plan), startedAt: at, lastNumber: 0, elapsedMs: 0 },
    ...{ runningSince: at, nextAt: at, seenSequence: run, endedAt: null, tries: 0, retryAt: null },
  };
  await db.incidentEscalation.upsert({
    where: { organizationId_incidentId: { organizationId, incidentId } },
    create: { organizationId, incidentId, ...columns },
    update: columns,
  });
}

/** Ends the escalation of an incident, if it has one that hasn't ended. */
export async function endEscalation(db: TenantDb, incidentId: string, at: Date): Promise<void> {
  await db.incidentEscalation.updateMany({
    where: { incidentId, endedAt: null },
    data: { endedAt: at, runningSince: null, nextAt: null },
  });
}

/** How long an escalation that fails is put off: after the first time, and at most. */
const SHORTEST_RETRY_SECONDS = 15;
const LONGEST_RETRY_SECONDS = 900;

/**
 * Returns escalations of every organization that are due, or whose incident has changed, and puts them off: one
 * that fails, or is left by a process that dies, comes after the others, each time later.
 */
export function takeDueEscalations(
  now: Date,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  return systemDb('escalations of every organization').$queryRaw(
    Prisma.sql`update incident_escalation e
      set tries = e.tries + 1, retry_at = ${now}::timestamptz + make_interval(
        secs => least(${LONGEST_RETRY_SECONDS}, ${SHORTEST_RETRY_SECONDS} * power(2, least(e.tries, 10))))
      from (
        select e.organization_id, e.incident_id from incident_escalation e
        join incident i on i.organization_id = e.organization_id and i.id = e.incident_id
        where e.ended_at is null
          and (e.next_at <= ${now}::timestamptz or e.seen_sequence <> i.sequence)
          and (e.retry_at is null or e.retry_at <= ${now}::timestamptz)
        order by greatest(e.next_at, e.retry_at) nulls first limit ${limit}
        for update of e skip locked
      ) due
      where e.organization_id = due.organization_id and e.incident_id = due.incident_id
      returning e.incident_id as id, e.organization_id as "organizationId"`,
  );
}

export interface StoredEscalation extends Progress {
  run: number;
  policyName: string;
  startedAt: Date;
  endedAt: Date | null;
}

/** Locks the escalation of an incident until the transaction ends; null if there is none that runs. */
export async function lockEscalation(
  db: TenantDb,
  organizationId: OrganizationId,
  incidentId: string,
): Promise<StoredEscalation | null> {
  await queryRaw(
    db,
    Prisma.sql`select from incident_escalation
      where organization_id = ${organizationId}::uuid and incident_id = ${incidentId}::uuid for update`,
  );
  const escalation = await findEscalation(db, incidentId);
  return escalation?.endedAt === null ? escalation : null;
}

export async function findEscalation(
  db: TenantDb,
  incidentId: string,
): Promise<StoredEscalation | null> {
  const row = await db.incidentEscalation.findFirst({ where: { incidentId } });
  return row && { ...row, plan: planSchema.parse(row.plan), elapsedMs: Number(row.elapsedMs) };
}

/** Stores what an escalation has come to; it has succeeded, so it isn't put off. */
export async function updateProgress(
  db: TenantDb,
  incidentId: string,
  { lastNumber, elapsedMs, runningSince }: Progress,
  { nextAt, seenSequence }: { nextAt: Date | null; seenSequence: number },
): Promise<void> {
  await db.incidentEscalation.updateMany({
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
  await db.escalationStep.create({
    data: { organizationId, ...step, ...(recipients ? { recipients: toJson(recipients) } : {}) },
  });
}

/** Returns the steps of an incident's current run, in order. */
export async function listSteps(db: TenantDb, incidentId: string, run: number) {
  const rows = await db.escalationStep.findMany({
    where: { incidentId, run },
    orderBy: { number: 'asc' },
  });
  return rows.map(({ number, at, recipients }) => ({
    ...{ number, at },
    recipients: recipientsSchema.nullable().parse(recipients),
  }));
}

/** Returns the channels that an incident's own messages have gone to since a time. Ids are UUIDs. */
export async function listAnnouncedChannels(
  db: TenantDb,
  subject: string,
  since: Date,
): Promise<string[]> {
  const rows = await db.webhookDelivery.findMany({
    where: {
      subject,
      channelId: { not: null },
      createdAt: { gte: since },
      eventType: { in: ['incident.opened', 'incident.needs_human', 'incident.reopened'] },
      status: { notIn: ['cancelled', 'refused', 'exhausted'] },
    },
    select: { channelId: true },
  });
  return rows.flatMap(({ channelId }) => channelId ?? []);
}

export interface StoredSchedule {
  /** UUID. */
  id: string;
  name: string;
  timeZone: string;
  shifts: z.infer<typeof shiftsSchema>;
  createdAt: Date;
}

/** Returns every schedule of the organization, by name. */
export async function listScheduleRows(db: TenantDb): Promise<StoredSchedule[]> {
  const rows = await db.oncallSchedule.findMany({ orderBy: [{ name: 'asc' }, { id: 'asc' }] });
  return rows.map((row) => ({ ...row, shifts: shiftsSchema.parse(row.shifts) }));
}

export async function insertSchedule(
  db: TenantDb,
  organizationId: OrganizationId,
  schedule: ScheduleInput & { id: string; createdAt: Date },
): Promise<void> {
  await db.oncallSchedule.create({
    data: { organizationId, ...schedule, shifts: toJson(schedule.shifts) },
  });
}

/** @throws NotFoundError */
export async function updateSchedule(
  db: TenantDb,
  id: string,
  { name, timeZone, shifts }: ScheduleInput,
): Promise<void> {
  const { count } = await db.oncallSchedule.updateMany({
    where: { id },
    data: { name, timeZone, shifts: toJson(shifts) },
  });
  if (count === 0) throw new NotFoundError();
}

/** @throws NotFoundError */
export async function deleteScheduleRow(db: TenantDb, id: string): Promise<void> {
  const { count } = await db.oncallSchedule.deleteMany({ where: { id } });
  if (count === 0) throw new NotFoundError();
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
  const rows = await db.escalationPolicy.findMany({
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
  await db.escalationPolicy.create({
    data: { organizationId, ...policy, steps: toJson(policy.steps) },
  });
}

/** @throws NotFoundError */
export async function updatePolicy(
  db: TenantDb,
  id: string,
  { name, steps, repeatTimes, repeatMinutes }: PolicyFields,
): Promise<void> {
  const { count } = await db.escalationPolicy.updateMany({
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
  await db.projectEscalation.deleteMany({
    where: { policyId, projectId: { notIn: [...projectIds] } },
  });
  await db.projectEscalation.createMany({
    data: projectIds.map((projectId) => ({ organizationId, projectId, policyId })),
    skipDuplicates: true,
  });
}

/** @throws NotFoundError */
export async function deletePolicyRow(db: TenantDb, id: string): Promise<void> {
  const { count } = await db.escalationPolicy.deleteMany({ where: { id } });
  if (count === 0) throw new NotFoundError();
}

import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { scheduleSchema } from '@/lib/projects/schedules/schema';
import { harnessNameSchema } from '@/lib/protocol/spec';
import { DUE_EVERY_SECONDS } from './healthy';

export interface HealthySpan {
  organizationId: OrganizationId;
  /** UUIDs. */
  projectIds: readonly string[];
  from: Date;
  to: Date;
}

/** When a row with a UUIDv7 was created. */
const CREATED_AT = Prisma.sql`to_timestamp(('x' || substr(replace(c.id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)`;

const checkSchema = z.object({
  projectId: z.string(),
  createdAt: z.date(),
  removedAt: z.date().nullable(),
  everySeconds: z.number(),
});

/** Returns every check of the projects that existed in the span. */
export async function listCheckSpans(
  db: TenantDb,
  { organizationId, projectIds, from, to }: HealthySpan,
) {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`select * from (
        select c.project_id as "projectId", ${CREATED_AT} as "createdAt", c.removed_at as "removedAt", c.every_seconds as "everySeconds"
        from service_check c
        where c.organization_id = ${organizationId}::uuid and c.project_id = any(${[...projectIds]}::uuid[])) checks
      where "createdAt" < ${to}::timestamptz and ("removedAt" is null or "removedAt" > ${from}::timestamptz)`,
  );
  return checkSchema.array().parse(rows);
}

const hourSchema = z.object({
  projectId: z.string(),
  hour: z.date().transform((at) => at.getTime()),
  failing: z.number(),
  unknown: z.number(),
  reported: z.number(),
  reportedDue: z.number(),
});

/** Returns the hours of the span with results, each with counts of the checks that existed for the whole hour. */
export async function listHourResults(
  db: TenantDb,
  { organizationId, projectIds, from, to }: HealthySpan,
) {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`select c.project_id as "projectId", h.hour, count(*) filter (where h.degraded + h.down > 0)::int as failing,
        count(*) filter (where h.unknown > 0)::int as unknown, count(*)::int as reported,
        count(*) filter (where c.every_seconds <= ${DUE_EVERY_SECONDS})::int as "reportedDue"
      from service_check c
      join check_hour h on h.organization_id = c.organization_id and h.check_id = c.id
      where c.organization_id = ${organizationId}::uuid and c.project_id = any(${[...projectIds]}::uuid[])
        and h.hour >= ${from}::timestamptz and h.hour < ${to}::timestamptz
        and ${CREATED_AT} <= h.hour and (c.removed_at is null or c.removed_at >= h.hour + interval '1 hour')
      group by 1, 2`,
  );
  return hourSchema.array().parse(rows);
}

const chainsSchema = z.object({
  projectId: z.string(),
  hour: z.date().transform((at) => at.getTime()),
  chains: z.number(),
});

/** Returns how many chains started in each hour of the span, without the skipped ones. */
export async function countChainsByHour(
  db: TenantDb,
  { organizationId, projectIds, from, to }: HealthySpan,
) {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`select project_id as "projectId", date_trunc('hour', created_at, 'UTC') as hour, count(*)::int as chains from chain
      where organization_id = ${organizationId}::uuid and project_id = any(${[...projectIds]}::uuid[])
        and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
        and outcome is distinct from 'skipped'
      group by 1, 2`,
  );
  return chainsSchema.array().parse(rows);
}

const referenceSchema = z.object({
  projectId: z.string(),
  version: z.number(),
  schedule: scheduleSchema,
});

/** Returns the last schedule with slots that each project had while its checks ran in chains only. */
export async function listEarlierSchedules(
  db: TenantDb,
  { organizationId, projectIds }: Pick<HealthySpan, 'organizationId' | 'projectIds'>,
) {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`select distinct on (project_id) project_id as "projectId", version, config->'schedule' as schedule
      from project_version
      where organization_id = ${organizationId}::uuid and project_id = any(${[...projectIds]}::uuid[])
        and config#>>'{monitoring,everySeconds}' is null and config#>>'{schedule,kind}' <> 'manual'
      order by project_id, version desc`,
  );
  return referenceSchema.array().parse(rows);
}

const projectSchema = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  harness: harnessNameSchema,
  model: z.string(),
  projects: z.number(),
});

/**
 * Returns up to `take` projects with a check that existed in the span, those with the most checks first, with what
 * tier 1 runs with and how many such projects there are.
 */
export async function listCheckedProjects(
  db: TenantDb,
  { organizationId, from, to }: Omit<HealthySpan, 'projectIds'>,
  take: number,
) {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select p.id, p.slug, p.name, v.config->>'harness' as harness, v.config->'tiers'->0->>'model' as model,
      count(*) over ()::int as projects
    from (
      select c.project_id, count(*) as checks from service_check c
      where c.organization_id = ${organizationId}::uuid
        and ${CREATED_AT} < ${to}::timestamptz and (c.removed_at is null or c.removed_at > ${from}::timestamptz)
      group by c.project_id) checked
    join project p on p.organization_id = ${organizationId}::uuid and p.id = checked.project_id
    join project_version v on v.organization_id = p.organization_id and v.project_id = p.id and v.version = p.current_version
    order by checked.checks desc, p.id limit ${take}`,
  );
  return projectSchema.array().parse(rows);
}

import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { scheduleSchema } from '@/lib/projects/schedules/schema';
import { DUE_EVERY_SECONDS } from './healthy';

export interface HealthySpan {
  organizationId: OrganizationId;
  /** UUID. */
  projectId: string;
  from: Date;
  to: Date;
}

/** When a row with a UUIDv7 was created. */
const CREATED_AT = Prisma.sql`to_timestamp(('x' || substr(replace(c.id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)`;

const checkSchema = z.object({
  createdAt: z.date(),
  removedAt: z.date().nullable(),
  everySeconds: z.number(),
});

/** Returns every check that existed in the span. */
export async function listCheckSpans(
  db: TenantDb,
  { organizationId, projectId, from, to }: HealthySpan,
) {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`select * from (
        select ${CREATED_AT} as "createdAt", c.removed_at as "removedAt", c.every_seconds as "everySeconds"
        from service_check c
        where c.organization_id = ${organizationId}::uuid and c.project_id = ${projectId}::uuid) checks
      where "createdAt" < ${to}::timestamptz and ("removedAt" is null or "removedAt" > ${from}::timestamptz)`,
  );
  return checkSchema.array().parse(rows);
}

const hourSchema = z.object({
  hour: z.date().transform((at) => at.getTime()),
  failing: z.number(),
  unknown: z.number(),
  reported: z.number(),
  reportedDue: z.number(),
});

/** Returns the hours of the span with results, each with counts of the checks that existed for the whole hour. */
export async function listHourResults(
  db: TenantDb,
  { organizationId, projectId, from, to }: HealthySpan,
) {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`select h.hour, count(*) filter (where h.degraded + h.down > 0)::int as failing,
        count(*) filter (where h.unknown > 0)::int as unknown, count(*)::int as reported,
        count(*) filter (where c.every_seconds <= ${DUE_EVERY_SECONDS})::int as "reportedDue"
      from service_check c
      join check_hour h on h.organization_id = c.organization_id and h.check_id = c.id
      where c.organization_id = ${organizationId}::uuid and c.project_id = ${projectId}::uuid
        and h.hour >= ${from}::timestamptz and h.hour < ${to}::timestamptz
        and ${CREATED_AT} <= h.hour and (c.removed_at is null or c.removed_at >= h.hour + interval '1 hour')
      group by h.hour`,
  );
  return hourSchema.array().parse(rows);
}

const chainsSchema = z.object({
  hour: z.date().transform((at) => at.getTime()),
  chains: z.number(),
});

/** Returns how many chains started in each hour of the span, without the skipped ones. */
export async function countChainsByHour(
  db: TenantDb,
  { organizationId, projectId, from, to }: HealthySpan,
): Promise<ReadonlyMap<number, number>> {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`select date_trunc('hour', created_at, 'UTC') as hour, count(*)::int as chains from chain
      where organization_id = ${organizationId}::uuid and project_id = ${projectId}::uuid
        and created_at >= ${from}::timestamptz and created_at < ${to}::timestamptz
        and outcome is distinct from 'skipped'
      group by 1`,
  );
  return new Map(
    chainsSchema
      .array()
      .parse(rows)
      .map(({ hour, chains }) => [hour, chains]),
  );
}

const referenceSchema = z.object({ version: z.number(), schedule: scheduleSchema });

/** Returns the last schedule with slots that the project had while its checks ran in chains only. */
export async function findEarlierSchedule(
  db: TenantDb,
  { organizationId, projectId }: Pick<HealthySpan, 'organizationId' | 'projectId'>,
) {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`select version, config->'schedule' as schedule from project_version
      where organization_id = ${organizationId}::uuid and project_id = ${projectId}::uuid
        and config#>>'{monitoring,everySeconds}' is null and config#>>'{schedule,kind}' <> 'manual'
      order by version desc limit 1`,
  );
  return referenceSchema.array().parse(rows)[0] ?? null;
}

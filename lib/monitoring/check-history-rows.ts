import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import type { ResultStatus } from './check-state';

export interface WatchedCheck {
  id: string;
  /** CheckSpec in lib/protocol/spec.ts. */
  spec: unknown;
  /** By N of M. */
  status: ResultStatus;
  statusSince: Date | null;
  /** Its last result; null before the first. */
  last: { at: Date; status: ResultStatus; error: string; responseMs: number | null } | null;
}

/** Returns the checks of a service that run without an agent, in their order; none while that is off. */
export async function listWatchedChecks(db: TenantDb, serviceId: string): Promise<WatchedCheck[]> {
  const rows = await db.serviceCheck.findMany({
    where: { serviceId, removedAt: null },
    orderBy: { position: 'asc' },
  });
  return rows.map(({ id, spec, status, statusSince, lastAt, lastStatus, ...row }) => ({
    ...{ id, spec, statusSince, status: serviceStatusSchema.parse(status) },
    last: lastAt && {
      at: lastAt,
      status: serviceStatusSchema.parse(lastStatus),
      error: row.lastError,
      responseMs: row.lastResponseMs,
    },
  }));
}

export interface CheckHourRow {
  checkId: string;
  /** When it begins. */
  hour: Date;
  healthy: number;
  degraded: number;
  down: number;
  unknown: number;
  /** How many were timed, and their sum and largest in milliseconds. */
  timed: number;
  totalMs: number;
  maxMs: number | null;
}

/** Returns what checks found by the hour, from the hour of `since` on, oldest first. */
export async function listCheckHours(
  db: TenantDb,
  organizationId: OrganizationId,
  checkIds: readonly string[],
  since: Date,
): Promise<CheckHourRow[]> {
  return queryRaw(
    db,
    Prisma.sql`select check_id as "checkId", hour, healthy, degraded, down, unknown, timed,
        total_ms::float8 as "totalMs", max_ms as "maxMs"
      from check_hour where organization_id = ${organizationId}::uuid
        and check_id = any(${[...checkIds]}::uuid[]) and hour >= date_trunc('hour', ${since}::timestamptz, 'UTC')
      order by hour`,
  );
}

export interface ProblemRow {
  checkId: string;
  status: ResultStatus;
  error: string;
  responseMs: number | null;
  from: Date;
  to: Date;
  /** How many results in a row had the same status and error. */
  results: number;
}

/**
 * Returns what went wrong with checks since a time, newest first: results in a row with the same status
 * and error are one.
 */
export async function listProblems(
  db: TenantDb,
  organizationId: OrganizationId,
  checkIds: readonly string[],
  { since, limit }: { since: Date; limit: number },
): Promise<ProblemRow[]> {
  return queryRaw(
    db,
    Prisma.sql`with numbered as (
        select check_id, at, status, error, response_ms,
          row_number() over (partition by check_id order by at)
            - row_number() over (partition by check_id, status, error order by at) as island
        from check_result where organization_id = ${organizationId}::uuid
          and check_id = any(${[...checkIds]}::uuid[]) and at >= ${since}::timestamptz
      )
      select check_id as "checkId", status, error, max(response_ms) as "responseMs",
        min(at) as "from", max(at) as "to", count(*)::int as results
      from numbered where status <> 'healthy' group by check_id, status, error, island
      order by max(at) desc limit ${limit}`,
  );
}

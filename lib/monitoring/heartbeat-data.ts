import { Prisma } from '@/generated/prisma/client';
import { inSystemTransaction, lookUp } from '@/lib/platform/db/global-db';
import { executeRaw, queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { checkSchema } from '@/lib/protocol/spec';
import type { Pings } from './heartbeat-state';

const reason = 'heartbeats of every organization';

const IS_HEARTBEAT = { spec: { path: ['type'], equals: 'heartbeat' } };

export interface FoundHeartbeat {
  organizationId: string;
  checkId: string;
}

/** Returns the heartbeat of any organization that a token belongs to; null for none. */
export async function findHeartbeat(tokenHash: string, now: Date): Promise<FoundHeartbeat | null> {
  const [row] = await lookUp<FoundHeartbeat>(
    Prisma.sql`select organization_id as "organizationId", check_id as "checkId"
      from app.find_heartbeat(${tokenHash}, ${now}::timestamptz)`,
  );
  return row ?? null;
}

/** Returns heartbeat checks of a project’s current configuration that nobody can ping yet. */
export function listUnaddressedChecks(db: TenantDb, projectId: string): Promise<{ id: string }[]> {
  return db.serviceCheck.findMany({
    where: { projectId, removedAt: null, heartbeat: null, ...IS_HEARTBEAT },
    select: { id: true },
  });
}

export async function insertHeartbeat(
  db: TenantDb,
  organizationId: OrganizationId,
  heartbeat: { checkId: string; tokenHash: string; tokenSealed: string },
): Promise<void> {
  await db.heartbeat.create({ data: { organizationId, ...heartbeat } });
}

/**
 * Forgets the pings of heartbeats whose checks are removed: one that comes back waits for its first ping,
 * at the same URL. The others are judged again, since their times may have changed.
 */
export async function adaptHeartbeats(
  db: TenantDb,
  organizationId: OrganizationId,
  projectId: string,
  now: Date,
): Promise<void> {
  await executeRaw(
    db,
    Prisma.sql`update heartbeat h set last_success_at = null, last_failure_at = null, last_exit_code = null,
        last_start_at = null, last_duration_ms = null, has_new_success = false, has_new_failure = false,
        judged_at = null, due_at = null
      from service_check c where c.organization_id = h.organization_id and c.id = h.check_id
        and h.organization_id = ${organizationId}::uuid and c.project_id = ${projectId}::uuid
        and c.removed_at is not null`,
  );
  await executeRaw(
    db,
    Prisma.sql`update heartbeat h set due_at = ${now}::timestamptz
      from service_check c where c.organization_id = h.organization_id and c.id = h.check_id
        and h.organization_id = ${organizationId}::uuid and c.project_id = ${projectId}::uuid
        and c.removed_at is null and h.due_at is not null`,
  );
}

export interface HeartbeatRow extends Pings {
  checkId: string;
  judgedAt: Date | null;
  dueAt: Date | null;
}

interface StoredPings extends Omit<Pings, 'lastDurationMs'> {
  checkId: string;
  lastDurationMs: bigint | null;
  judgedAt: Date | null;
  dueAt: Date | null;
}

const PING_COLUMNS = {
  checkId: true,
  lastSuccessAt: true,
  lastFailureAt: true,
  lastExitCode: true,
  lastStartAt: true,
  lastDurationMs: true,
  hasNewSuccess: true,
  hasNewFailure: true,
  judgedAt: true,
  dueAt: true,
} as const;

function toRow({ lastDurationMs, ...row }: StoredPings): HeartbeatRow {
  return { ...row, lastDurationMs: lastDurationMs === null ? null : Number(lastDurationMs) };
}

/** Locks one heartbeat and returns it; null if it is gone, or its check is removed. */
export async function lockHeartbeat(
  db: TenantDb,
  organizationId: OrganizationId,
  checkId: string,
): Promise<HeartbeatRow | null> {
  await queryRaw(
    db,
    Prisma.sql`select 1 from heartbeat where organization_id = ${organizationId}::uuid
      and check_id = ${checkId}::uuid for update`,
  );
  const row = await db.heartbeat.findFirst({
    where: { checkId, check: { removedAt: null } },
    select: PING_COLUMNS,
  });
  return row && toRow(row);
}

/** Locks the heartbeats of a project’s current checks and returns them. */
export async function lockHeartbeats(
  db: TenantDb,
  organizationId: OrganizationId,
  projectId: string,
): Promise<HeartbeatRow[]> {
  await queryRaw(
    db,
    Prisma.sql`select 1 from heartbeat h where h.organization_id = ${organizationId}::uuid
      and exists (select from service_check c where c.organization_id = h.organization_id
        and c.id = h.check_id and c.project_id = ${projectId}::uuid and c.removed_at is null)
      order by h.check_id for update`,
  );
  const rows = await db.heartbeat.findMany({
    where: { check: { projectId, removedAt: null } },
    select: PING_COLUMNS,
  });
  return rows.map(toRow);
}

/** Stores what is known of a heartbeat. */
export async function saveHeartbeat(
  db: TenantDb,
  { checkId, lastDurationMs, ...columns }: HeartbeatRow,
): Promise<void> {
  await db.heartbeat.updateMany({
    where: { checkId },
    data: {
      ...columns,
      lastDurationMs: lastDurationMs === null ? null : BigInt(Math.round(lastDurationMs)),
    },
  });
}

/**
 * Returns projects with heartbeats to judge, the longest overdue first. Their heartbeats are put off
 * until `retryAt`, so that one that can’t be judged doesn’t hold up the others.
 */
export function claimDueProjects(
  now: Date,
  retryAt: Date,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  return inSystemTransaction(reason, (query) =>
    query<{ id: string; organizationId: string }>(
      Prisma.sql`with due as (
          select h.organization_id, h.check_id from heartbeat h where h.due_at <= ${now}::timestamptz
          order by h.due_at limit ${limit} for update skip locked
        ), claimed as (
          update heartbeat h set due_at = ${retryAt}::timestamptz from due
          where h.organization_id = due.organization_id and h.check_id = due.check_id
          returning h.organization_id, h.check_id
        )
        select distinct c.project_id as id, c.organization_id as "organizationId" from claimed
        join service_check c on c.organization_id = claimed.organization_id and c.id = claimed.check_id`,
    ),
  );
}

/** Returns the heartbeats of a service’s current checks, in their order. */
export async function listHeartbeatRows(db: TenantDb, serviceId: string) {
  const rows = await db.heartbeat.findMany({
    where: { check: { serviceId, removedAt: null } },
    orderBy: { check: { position: 'asc' } },
    select: { ...PING_COLUMNS, tokenSealed: true, check: { select: { spec: true } } },
  });
  return rows.map(({ tokenSealed, check, ...row }) => ({
    ...toRow(row),
    tokenSealed,
    spec: checkSchema.parse(check.spec),
  }));
}

/** Returns what a rotation needs of a heartbeat. @throws NotFoundError */
export async function getHeartbeatToken(db: TenantDb, checkId: string) {
  const row = await db.heartbeat.findFirst({
    where: { checkId, check: { removedAt: null } },
    select: {
      tokenHash: true,
      check: { select: { spec: true, projectId: true, service: { select: { name: true } } } },
    },
  });
  if (!row) throw new NotFoundError();
  const { spec, projectId, service } = row.check;
  return {
    tokenHash: row.tokenHash,
    name: checkSchema.parse(spec).target,
    service: service.name,
    projectId,
  };
}

/** @throws NotFoundError if it was removed or rotated in the meantime */
export async function replaceToken(
  db: TenantDb,
  { checkId, tokenHash }: { checkId: string; tokenHash: string },
  token: { tokenHash: string; tokenSealed: string; previousTokenUntil: Date },
): Promise<void> {
  const { count } = await db.heartbeat.updateMany({
    where: { checkId, tokenHash },
    data: { ...token, previousTokenHash: tokenHash },
  });
  if (count === 0) throw new NotFoundError();
}

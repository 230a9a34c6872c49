import { sql } from 'kysely';
import { z } from 'zod';
import { lockDue } from '@/lib/platform/db/due';
import { lookedUp, query, refers, sqlChanges, systemRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { type CheckSpec, checkSchema } from '@/lib/protocol/spec';
import type { Pings } from './ping-state';

const reason = 'heartbeats of every organization';

const IS_PING_CHECK = { spec: { path: ['type'], equals: 'heartbeat' } };

const foundSchema = z.object({ organizationId: z.string(), checkId: z.string() });
export type FoundPingCheck = z.infer<typeof foundSchema>;

/** Returns the heartbeat of any organization that a token belongs to; null for none. */
export async function findPingCheck(tokenHash: string, now: Date): Promise<FoundPingCheck | null> {
  const rows = await lookedUp(
    sql`select organization_id, check_id from app.find_ping_check(${tokenHash}, ${now})`,
  );
  return foundSchema.array().parse(rows)[0] ?? null;
}

/** Returns heartbeat checks of a project’s current configuration that nobody can ping yet. */
export function listUnaddressedChecks(db: TenantDb, projectId: string): Promise<{ id: string }[]> {
  return db.serviceCheck.findMany({
    where: { projectId, removedAt: null, pingCheck: null, ...IS_PING_CHECK },
    select: { id: true },
  });
}

export async function insertPingCheck(
  db: TenantDb,
  pingCheck: { checkId: string; tokenHash: string; tokenSealed: string },
): Promise<void> {
  await db.pingCheck.create({ data: { organizationId: db.organizationId, ...pingCheck } });
}

/**
 * Forgets the pings of heartbeats whose checks are removed: one that comes back waits for its first ping,
 * at the same URL. The others are judged again, since their times may have changed.
 */
export async function adaptPingChecks(db: TenantDb, projectId: string, now: Date): Promise<void> {
  const isOfProject = sql`c.organization_id = h.organization_id and c.id = h.check_id
    and h.organization_id = ${db.organizationId} and c.project_id = ${projectId}`;
  await sqlChanges(
    db,
  )`update ping_check h set last_success_at = null, last_failure_at = null, last_exit_code = null,
        last_start_at = null, last_duration_ms = null, has_new_success = false, has_new_failure = false,
        judged_at = null, due_at = null
      from service_check c where ${isOfProject} and c.removed_at is not null`;
  await sqlChanges(db)`update ping_check h set due_at = ${now}
      from service_check c where ${isOfProject} and c.removed_at is null and h.due_at is not null`;
}

export interface PingCheckRow extends Pings {
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

function toRow({ lastDurationMs, ...row }: StoredPings): PingCheckRow {
  return { ...row, lastDurationMs: lastDurationMs === null ? null : Number(lastDurationMs) };
}

/** Locks one heartbeat and returns it with its check; null if it is gone, or its check is removed. */
export async function lockPingCheck(
  db: TenantDb,
  checkId: string,
): Promise<{ pingCheck: PingCheckRow; spec: CheckSpec } | null> {
  await sqlChanges(db)`select 1 from ping_check where organization_id = ${db.organizationId}::uuid
      and check_id = ${checkId}::uuid for update`;
  const row = await db.pingCheck.findFirst({
    where: { checkId, check: { removedAt: null } },
    select: { ...PING_COLUMNS, check: { select: { spec: true } } },
  });
  if (!row) return null;
  const { check, ...columns } = row;
  return { pingCheck: toRow(columns), spec: checkSchema.parse(check.spec) };
}

/** Locks the heartbeats of a project’s current checks and returns them. */
export async function lockPingChecks(db: TenantDb, projectId: string): Promise<PingCheckRow[]> {
  await sqlChanges(
    db,
  )`select 1 from ping_check h where h.organization_id = ${db.organizationId}::uuid
      and exists (select from service_check c where c.organization_id = h.organization_id
        and c.id = h.check_id and c.project_id = ${projectId}::uuid and c.removed_at is null)
      order by h.check_id for update`;
  const rows = await db.pingCheck.findMany({
    where: { check: { projectId, removedAt: null } },
    select: PING_COLUMNS,
  });
  return rows.map(toRow);
}

/** Stores what is known of a heartbeat. */
export async function savePingCheck(
  db: TenantDb,
  { checkId, lastDurationMs, ...columns }: PingCheckRow,
): Promise<void> {
  await db.pingCheck.updateMany({
    where: { checkId },
    data: {
      ...columns,
      lastDurationMs: lastDurationMs === null ? null : BigInt(Math.round(lastDurationMs)),
    },
  });
}

/**
 * Returns projects with heartbeats to judge, organizations in turns. Their heartbeats are put off until
 * `retryAt`, so that one that can’t be judged doesn’t hold up the others.
 */
export function claimDueProjects(now: Date, retryAt: Date, limit: number) {
  return systemRows(
    reason,
    query
      .with('due', () =>
        lockDue({
          ...{ table: 'pingCheck', key: 'checkId', limit },
          dueAt: ({ ref }) => ref('dueAt'),
          isDue: (row) => row('dueAt', '<=', now),
        }),
      )
      .with('claimed', (cte) =>
        cte
          .updateTable('pingCheck as h')
          .from('due')
          .set({ dueAt: retryAt })
          .whereRef('h.organizationId', '=', 'due.organizationId')
          .whereRef('h.checkId', '=', 'due.id')
          .returning(['h.organizationId', 'h.checkId']),
      )
      .selectFrom('claimed')
      .innerJoin('serviceCheck as c', refers('claimed.checkId', 'c.id'))
      .select(['c.projectId as id', 'c.organizationId'])
      .distinct(),
  );
}

const SHOWN_COLUMNS = {
  ...PING_COLUMNS,
  tokenHash: true,
  tokenSealed: true,
  previousTokenUntil: true,
  check: {
    select: { spec: true, projectId: true, service: { select: { name: true } } },
  },
} as const;

/** Returns the heartbeats of current checks, of a project or one of its services, in their order. */
export async function listPingCheckRows(
  db: TenantDb,
  of: { projectId: string; service?: string | undefined } | { serviceId: string },
) {
  const where =
    'serviceId' in of
      ? { serviceId: of.serviceId }
      : { projectId: of.projectId, ...(of.service ? { service: { name: of.service } } : {}) };
  const rows = await db.pingCheck.findMany({
    where: { check: { ...where, removedAt: null } },
    orderBy: [{ check: { service: { position: 'asc' } } }, { check: { position: 'asc' } }],
    select: SHOWN_COLUMNS,
  });
  return rows.map(toShownRow);
}
export type ShownPingCheckRow = ReturnType<typeof toShownRow>;

/** @throws NotFoundError if it isn’t part of its project now */
export async function getPingCheckRow(db: TenantDb, checkId: string): Promise<ShownPingCheckRow> {
  const row = await db.pingCheck.findFirst({
    where: { checkId, check: { removedAt: null } },
    select: SHOWN_COLUMNS,
  });
  if (!row) throw new NotFoundError();
  return toShownRow(row);
}

function toShownRow({
  check,
  ...row
}: StoredPings & {
  tokenHash: string;
  tokenSealed: string;
  previousTokenUntil: Date | null;
  check: { spec: unknown; projectId: string; service: { name: string } };
}) {
  const { tokenHash, tokenSealed, previousTokenUntil, ...pings } = row;
  const { spec, projectId, service } = check;
  return {
    ...toRow(pings),
    ...{ tokenHash, tokenSealed, previousTokenUntil, projectId, service: service.name },
    spec: checkSchema.parse(spec),
  };
}

/**
 * Gives a heartbeat another token.
 *
 * @param before its current token’s hash
 * @param previous until when that one is accepted, too; null: it no longer is, like any earlier one
 * @returns false if it was removed or got another token in the meantime, or if an earlier one than the
 *   current is still accepted, which `previous` would cut off
 */
export async function replaceToken(
  db: TenantDb,
  before: { checkId: string; tokenHash: string },
  token: { tokenHash: string; tokenSealed: string },
  previous: { until: Date; now: Date } | null,
): Promise<boolean> {
  const isFree = previous && {
    OR: [{ previousTokenUntil: null }, { previousTokenUntil: { lte: previous.now } }],
  };
  const { count } = await db.pingCheck.updateMany({
    where: { ...before, ...isFree },
    data: {
      ...token,
      previousTokenHash: previous ? before.tokenHash : null,
      previousTokenUntil: previous?.until ?? null,
    },
  });
  return count === 1;
}

/** Ends the token before the current one. Returns false if it isn’t accepted anymore. */
export async function endPreviousToken(db: TenantDb, checkId: string, now: Date): Promise<boolean> {
  const { count } = await db.pingCheck.updateMany({
    where: { checkId, previousTokenUntil: { gt: now } },
    data: { previousTokenHash: null, previousTokenUntil: null },
  });
  return count === 1;
}

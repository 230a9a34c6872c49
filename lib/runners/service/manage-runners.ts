import { z } from 'zod';
import { type AuditEntry, recordAudit } from '@/lib/audit/data';
import { hashToken, mintToken } from '@/lib/crypto/tokens';
import { inTransaction, type TenantDb } from '@/lib/db/tenant-db';
import { ConflictError } from '@/lib/errors';
import { decodeCursor, pageOf } from '@/lib/http/cursor';
import { encodeId } from '@/lib/ids';
import { requireId } from '@/lib/ids/require-id';
import { notifyRunner } from '@/lib/live/data';
import { postureSchema } from '@/lib/runner-protocol/schema';
import { requireRole } from '@/lib/tenancy/roles';
import type { TenantScope } from '@/lib/tenancy/scope';
import { ensurePool, getRunnerRow } from '../data';
import {
  countInHand,
  insertEnrolment,
  listRunnerRows,
  type RunnerRow,
  updateRunner,
} from '../fleet/data';
import type { CreateEnrolmentInput, EnrolmentDto, RunnerDto } from '../fleet/schema';
import { runnerStatus } from '../fleet/status';

const ENROLMENT_MS = 3_600_000;

/** Newest first, revoked ones among them. */
export function listRunners(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined },
  now = new Date(),
): Promise<{ data: RunnerDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(page.cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const found = await listRunnerRows(db, { limit: page.limit, beforeId });
    const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
    const inHand = await countInHand(
      db,
      rows.map((row) => row.id),
    );
    return { data: rows.map((row) => toRunnerDto(row, inHand, now)), nextCursor };
  });
}

export function getRunner(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  const id = requireId('rnr', runnerId);
  return inTransaction(scope, (db) => runnerDto(db, id, now));
}

/** A token that lets one runner in within the hour. The only time that it is shown. */
export function createEnrolment(
  scope: TenantScope,
  input: CreateEnrolmentInput,
  now = new Date(),
): Promise<EnrolmentDto> {
  requireRole(scope, 'admin');
  const token = mintToken('enr');
  const expiresAt = new Date(now.getTime() + ENROLMENT_MS);
  return inTransaction(scope, async (db) => {
    const poolId = await ensurePool(db, scope.organizationId, input.pool);
    const id = await insertEnrolment(db, scope.organizationId, {
      poolId,
      tokenHash: hashToken(token),
      allowedTiers: input.allowedTiers,
      createdBy: scope.actor.label,
      expiresAt,
    });
    await recordAudit(db, scope, {
      action: 'runner.token_created',
      target: encodeId('enr', id),
      detail: { pool: input.pool, allowedTiers: input.allowedTiers },
    });
    return {
      id: encodeId('enr', id),
      token,
      pool: input.pool,
      allowedTiers: input.allowedTiers,
      expiresAt: expiresAt.toISOString(),
    };
  });
}

/** It finishes what it has and takes nothing new. A second time changes nothing. */
export function drainRunner(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(scope, runnerId, now, (runner) =>
    runner.drainingAt ? null : { changes: { drainingAt: now }, action: 'runner.drained' },
  );
}

/** It takes new work again. */
export function resumeRunner(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(scope, runnerId, now, (runner) =>
    runner.drainingAt ? { changes: { drainingAt: null }, action: 'runner.resumed' } : null,
  );
}

/** Its key is worth nothing from now on; what it runs ends as lost. Cannot be undone. */
export function revokeRunner(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(scope, runnerId, now, (runner) =>
    runner.revokedAt ? null : { changes: { revokedAt: now }, action: 'runner.revoked' },
  );
}

type Change = {
  changes: { drainingAt?: Date | null; revokedAt?: Date };
  action: AuditEntry['action'];
};

function changeRunner(
  scope: TenantScope,
  runnerId: string,
  now: Date,
  changeOf: (runner: RunnerRow) => Change | null,
): Promise<RunnerDto> {
  requireRole(scope, 'admin');
  const id = requireId('rnr', runnerId);
  return inTransaction(scope, async (db) => {
    const runner = await getRunnerRow(db, id);
    const change = changeOf(runner);
    if (change && runner.revokedAt) {
      throw new ConflictError(`${runner.name} is revoked. Enrol the host again.`);
    }
    if (change) {
      await updateRunner(db, id, change.changes);
      await notifyRunner(db, id);
    }
    const dto = await runnerDto(db, id, now);
    if (change) {
      await recordAudit(db, scope, {
        action: change.action,
        target: dto.id,
        detail: { name: dto.name },
      });
    }
    return dto;
  });
}

async function runnerDto(db: TenantDb, id: string, now: Date): Promise<RunnerDto> {
  const row = await getRunnerRow(db, id);
  return toRunnerDto(row, await countInHand(db, [id]), now);
}

function toRunnerDto(row: RunnerRow, inHand: ReadonlyMap<string, number>, now: Date): RunnerDto {
  return {
    id: encodeId('rnr', row.id),
    name: row.name,
    pool: row.pool.name,
    allowedTiers: row.allowedTiers,
    status: runnerStatus(row, now),
    slots: row.slots,
    slotsInUse: inHand.get(row.id) ?? 0,
    posture: postureSchema.safeParse(row.posture).data ?? null,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    drainingAt: row.drainingAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}

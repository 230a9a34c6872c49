import { z } from 'zod';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import { hashToken, mintToken } from '@/lib/platform/crypto/tokens';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
import { requireId } from '@/lib/platform/ids/require-id';
import { ensurePool } from '@/lib/projects/runner-pools';
import { countInHand, insertEnrolment, listRunnerRows, shortenLeases } from '../fleet/data';
import type { CreateEnrolmentInput, EnrolmentDto, RunnerDto } from '../fleet/schema';
import { startCommand } from '../fleet/start-command';
import { toRunnerDto } from '../fleet/to-dto';
import { changeRunner, loadRunnerDto } from './change-runner';

export const ENROLMENT_MS = 3_600_000;
/** In which a stop has ended an agent and everything that it started. */
export const STOP_MS = 10_000;

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
  return inTransaction(scope, (db) => loadRunnerDto(db, id, now));
}

/** A token that lets one runner in within the hour. The only time that it is shown. */
export function createEnrolment(
  scope: TenantScope,
  input: CreateEnrolmentInput,
  now = new Date(),
): Promise<EnrolmentDto> {
  requireMay(scope, 'runner.manage');
  const { pool, allowedTiers, slotLimit = null } = input;
  const token = mintToken('enr');
  const expiresAt = new Date(now.getTime() + ENROLMENT_MS);
  return inTransaction(scope, async (db) => {
    const poolId = await ensurePool(db, scope.organizationId, pool);
    const id = await insertEnrolment(db, scope.organizationId, {
      poolId,
      tokenHash: hashToken(token),
      allowedTiers,
      slotLimit,
      createdBy: scope.actor.label,
      expiresAt,
    });
    await recordAudit(db, scope, {
      action: 'runner.token_created',
      target: encodeId('enr', id),
      detail: { pool, allowedTiers, slotLimit },
    });
    return {
      id: encodeId('enr', id),
      token,
      pool,
      allowedTiers,
      slotLimit,
      expiresAt: expiresAt.toISOString(),
      command: startCommand(env().publicUrl, token),
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

/**
 * Its key is worth nothing from now on. It is told to stop what it runs, which ends as lost once it
 * has had the time. Cannot be undone.
 */
export function revokeRunner(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(scope, runnerId, now, (runner) =>
    runner.revokedAt
      ? null
      : {
          changes: { revokedAt: now, nextKeyHash: null, rotationRequestedAt: null },
          action: 'runner.revoked',
          alongside: (db) => shortenLeases(db, runner.id, new Date(now.getTime() + STOP_MS)),
        },
  );
}

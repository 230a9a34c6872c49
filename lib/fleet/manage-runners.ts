import { z } from 'zod';
import { type AuditEntry, recordAudit } from '@/lib/identity/audit/record-audit';
import { toPauseDto } from '@/lib/identity/pauses';
import { type Act, requireMay } from '@/lib/identity/tenancy/role-matrix';
import { hashToken, mintToken } from '@/lib/platform/crypto/tokens';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { env } from '@/lib/platform/env';
import { ConflictError } from '@/lib/platform/errors';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { notifyRunner } from '@/lib/platform/live/hint';
import { ensurePool } from '@/lib/projects/project-rows';
import { capabilitiesSchema } from '@/lib/protocol/schema';
import { canConfineOn } from './capabilities';
import {
  countRunning,
  insertEnrolment,
  listPoolCapabilities,
  listRunnerRows,
  type RunnerChanges,
  type RunnerRow,
  updateRunner,
} from './data';
import { deniedVersionsOf } from './denied-versions';
import { runnerRevoked } from './domain-events';
import { enrolmentCommands } from './enrolment-commands';
import { runnerProblems } from './problems';
import { runnerProgram } from './runner-program';
import { getRunnerRow } from './runner-rows';
import type { CreateEnrolmentInput, EnrolmentDto, RunnerDto, SetRunnerInput } from './schema';
import { runnerStatus } from './status';
import { updateOf } from './update-state';

export const ENROLMENT_MS = 3_600_000;
/** Time in which a stop ends an agent and every process that it started, in milliseconds. */
export const STOP_MS = 10_000;

/** Returns runners, newest first, including revoked ones. */
export function listRunners(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined },
  now = new Date(),
): Promise<{ data: RunnerDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(page.cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const found = await listRunnerRows(db, { limit: page.limit, beforeId });
    const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
    const running = await countRunning(
      db,
      rows.map((row) => row.id),
    );
    return { data: rows.map((row) => toRunnerDto(row, running, now)), nextCursor };
  });
}

const DEFAULT_POOL = 'default';

/**
 * Returns the pool of a new project for which nobody chose one: a pool with a runner that is online,
 * else one with any runner. Among equals, and without runners, it is `default`.
 */
export async function poolForNewProject(scope: TenantScope, now = new Date()): Promise<string> {
  const { data } = await listRunners(scope, { limit: 100 }, now);
  const runners = data.filter(({ status }) => status !== 'revoked');
  const online = runners.filter(({ status }) => status === 'online');
  const pools = (online.length > 0 ? online : runners).map(({ pool }) => pool);
  return pools.includes(DEFAULT_POOL) ? DEFAULT_POOL : (pools[0] ?? DEFAULT_POOL);
}

/**
 * Returns whether a pool can confine agents. Runners that are offline count, because
 * they are expected back; revoked ones don't.
 */
export function canPoolConfine(scope: TenantScope, pool: string): Promise<boolean> {
  return inTransaction(scope, async (db) => canConfineOn(await listPoolCapabilities(db, pool)));
}

export function getRunner(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  const id = requireId('rnr', runnerId);
  return inTransaction(scope, (db) => loadRunnerDto(db, id, now));
}

/**
 * Creates a token that enrols one runner within one hour. The token is shown only in this result.
 */
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
    const poolId = await ensurePool(db, pool);
    const id = await insertEnrolment(db, {
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
      ...enrolmentCommands({
        url: env().publicUrl,
        token,
        sha256: runnerProgram()?.sha256 ?? null,
      }),
    };
  });
}

/**
 * Drains a runner: it finishes its work and claims nothing new. A repeated call changes nothing.
 */
export function drainRunner(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(scope, runnerId, now, (runner) =>
    runner.drainingAt ? null : { changes: { drainingAt: now }, action: 'runner.drained' },
  );
}

/** Ends a drain: the runner claims new work again. */
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
 * Revokes a runner: its key is refused from now on. It gets stop directives for its attempts, which
 * end as lost when the time for that is over. It can't be undone.
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
          changes: {
            revokedAt: now,
            nextKeyHash: null,
            rotationRequestedAt: null,
            updateRequestedAt: null,
            updateStartedAt: null,
          },
          action: 'runner.revoked',
          alongside: async (db) => {
            const revocation = {
              runnerId: runner.id,
              stopsUntil: new Date(now.getTime() + STOP_MS),
            };
            await publish(db, scope, runnerRevoked, revocation, now);
          },
        },
  );
}

interface RunnerChange {
  changes: RunnerChanges;
  action: AuditEntry['action'];
  /** Added to the audit entry, beside the runner's name. */
  detail?: AuditEntry['detail'];
  /** Runs in the same transaction. */
  alongside?: (db: TenantDb) => Promise<void>;
}

/**
 * Changes a runner (`rnr_…`), writes the audit entry and notifies the runner.
 *
 * @param changeOf null if there is nothing to change
 * @throws ConflictError for a revoked runner
 */
export function changeRunner(
  scope: TenantScope,
  runnerId: string,
  now: Date,
  changeOf: (runner: RunnerRow) => RunnerChange | null,
  act: Act = 'runner.manage',
): Promise<RunnerDto> {
  requireMay(scope, act);
  const id = requireId('rnr', runnerId);
  return inTransaction(scope, async (db) => {
    const runner = await getRunnerRow(db, id);
    const change = changeOf(runner);
    if (change && runner.revokedAt) {
      throw new ConflictError(`${runner.name} is revoked. Enroll the host again.`);
    }
    if (change) {
      await updateRunner(db, id, change.changes);
      await change.alongside?.(db);
      await notifyRunner(db, id);
    }
    const dto = await loadRunnerDto(db, id, now);
    if (change) {
      const { action, detail } = change;
      await recordAudit(db, scope, {
        action,
        target: dto.id,
        detail: { name: dto.name, ...detail },
      });
    }
    return dto;
  });
}

async function loadRunnerDto(db: TenantDb, id: string, now: Date): Promise<RunnerDto> {
  const row = await getRunnerRow(db, id);
  return toRunnerDto(row, await countRunning(db, [id]), now);
}

/** Sets which tiers a runner may run and how many attempts at once. Running attempts continue. */
export function setRunner(
  scope: TenantScope,
  runnerId: string,
  input: SetRunnerInput,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(scope, runnerId, now, (runner) => {
    const before = { allowedTiers: runner.allowedTiers, slotLimit: runner.slotLimit };
    const after = {
      allowedTiers: input.allowedTiers ?? before.allowedTiers,
      slotLimit: input.slotLimit === undefined ? before.slotLimit : input.slotLimit,
    };
    if (JSON.stringify(before) === JSON.stringify(after)) return null;
    const offered = capabilitiesSchema.safeParse(runner.capabilities).data?.slots ?? runner.slots;
    const slots = Math.min(offered, after.slotLimit ?? offered);
    return {
      changes: { ...after, slots },
      action: 'runner.changed',
      detail: { before, after },
    };
  });
}

/** @param running running attempts by runner id */
function toRunnerDto(row: RunnerRow, running: ReadonlyMap<string, number>, now: Date): RunnerDto {
  const capabilities = capabilitiesSchema.safeParse(row.capabilities).data ?? null;
  const status = runnerStatus(row, now);
  const { clockSkewMs } = row;
  const update = updateOf(row, capabilities, runnerProgram()?.sha256 ?? null);
  return {
    id: encodeId('rnr', row.id),
    name: row.name,
    enrolmentId: row.tokens[0] ? encodeId('enr', row.tokens[0].id) : null,
    pool: row.pool.name,
    allowedTiers: row.allowedTiers,
    status,
    slots: row.slots,
    slotLimit: row.slotLimit,
    slotsInUse: running.get(row.id) ?? 0,
    problems: runnerProblems({
      status,
      capabilities,
      clockSkewMs,
      update,
      isKeyShared: isRecent(row.secondHostAt, now),
      denied: deniedVersionsOf(row.pool.organization),
    }),
    capabilities,
    posture: capabilities,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    pause: toPauseDto(row),
    drainingAt: row.drainingAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    keyChangedAt: row.keyChangedAt?.toISOString() ?? null,
    rotationRequestedAt: row.rotationRequestedAt?.toISOString() ?? null,
    update,
  };
}

const SECOND_HOST_SHOWN_MS = 3_600_000;

function isRecent(secondHostAt: Date | null, now: Date): boolean {
  return secondHostAt !== null && now.getTime() - secondHostAt.getTime() < SECOND_HOST_SHOWN_MS;
}

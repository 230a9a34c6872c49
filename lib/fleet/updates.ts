import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { notifyRunner } from '@/lib/platform/live/hint';
import {
  type Capabilities,
  capabilitiesSchema,
  type UpdateFailedRequest,
} from '@/lib/protocol/schema';
import { updateRunner } from './data';
import { changeRunner } from './manage-runners';
import { runnerProgram } from './runner-program';
import { getRunnerRow } from './runner-rows';
import type { RunnerDto, UpdateRunnersInput } from './schema';
import { updateOf } from './update-state';
import { findUpdateTurn, listUpdatable, listWaitingUpdates, lockPool } from './updates-data';

/**
 * A runner that is updated and hasn't been in contact for this long gives up its turn, in
 * milliseconds. Longer than any runner waits before it takes an update back.
 */
const TURN_LOST_MS = 900_000;

const NO_UPDATE = { updateRequestedAt: null, updateStartedAt: null } as const;

/**
 * Requests that a runner replaces its program by this installation's. It finishes its attempts
 * first, and waits until no other runner of its pool is being updated.
 *
 * @throws ConflictError if it can't update itself, or has that program
 */
export function requestUpdate(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(scope, runnerId, now, (runner) => {
    if (runner.updateRequestedAt) return null;
    const capabilities = capabilitiesSchema.safeParse(runner.capabilities).data ?? null;
    const update = updateOf(runner, capabilities, runnerProgram()?.sha256 ?? null);
    if (update.obstacle) {
      throw new ConflictError(`${runner.name} can’t be updated from here. ${update.obstacle}`);
    }
    if (!update.isAvailable) {
      throw new ConflictError(`${runner.name} already has the version of this installation.`);
    }
    return {
      changes: { updateRequestedAt: now, updateFailure: null, updateFailedAt: null },
      action: 'runner.update_requested',
    };
  });
}

/**
 * Requests an update of every runner that can update itself and has another program.
 *
 * @returns those for which it was requested now
 */
export async function requestUpdates(
  scope: TenantScope,
  { pool }: UpdateRunnersInput,
  now = new Date(),
): Promise<RunnerDto[]> {
  requireMay(scope, 'runner.manage');
  const current = runnerProgram()?.sha256 ?? null;
  const rows = await inTransaction(scope, (db) => listUpdatable(db, pool));
  const due = rows.filter((row) => {
    const capabilities = capabilitiesSchema.safeParse(row.capabilities).data ?? null;
    return updateOf(row, capabilities, current).isAvailable;
  });
  const requested: RunnerDto[] = [];
  for (const { id } of due) requested.push(await requestUpdate(scope, encodeId('rnr', id), now));
  return requested;
}

/** Takes back a request. A runner that already fetches the new program continues. */
export function cancelUpdate(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(scope, runnerId, now, (runner) =>
    runner.updateRequestedAt ? { changes: NO_UPDATE, action: 'runner.update_cancelled' } : null,
  );
}

interface UpdatingRunner {
  id: string;
  name: string;
  poolId: string;
  updateRequestedAt: Date | null;
  updateStartedAt: Date | null;
  updateFailure: string | null;
}

/**
 * Looks at a runner's update when it reports what it runs: ends it, or gives the runner its turn.
 *
 * @returns whether the runner has its turn
 */
export async function advanceUpdate(
  db: TenantDb,
  scope: TenantScope,
  runner: UpdatingRunner,
  capabilities: Capabilities,
  now: Date,
): Promise<boolean> {
  if (!runner.updateRequestedAt && runner.updateFailure === null) return false;
  const current = runnerProgram()?.sha256;
  if (capabilities.program?.kind === 'file' && capabilities.program.sha256 === current) {
    await updateRunner(db, runner.id, {
      ...NO_UPDATE,
      updateFailure: null,
      updateFailedAt: null,
    });
    await notifyRunner(db, runner.id);
    if (runner.updateStartedAt) await record(db, scope, 'runner.updated', runner);
    return false;
  }
  if (!runner.updateRequestedAt || runner.updateStartedAt) return runner.updateStartedAt !== null;
  return takeTurn(db, scope, runner, now);
}

/** One runner of a pool at a time: the pool's row is locked, so two can't both find it free. */
async function takeTurn(
  db: TenantDb,
  scope: TenantScope,
  runner: UpdatingRunner,
  now: Date,
): Promise<boolean> {
  await lockPool(db, runner.poolId);
  const holder = await findUpdateTurn(db, runner.poolId);
  if (holder) {
    const lastAt = Math.max(holder.updateStartedAt.getTime(), holder.lastSeenAt?.getTime() ?? 0);
    if (now.getTime() - lastAt < TURN_LOST_MS) return false;
    const reason =
      'It went offline while it was updated and didn’t come back. Check the runner on its host; the previous program is beside its own (tierwatch-runner.previous.mjs).';
    await fail(db, scope, holder, reason, now);
    return false;
  }
  await updateRunner(db, runner.id, { updateStartedAt: now });
  await notifyRunner(db, runner.id);
  return true;
}

/** Stores why the update of the runner of `scope` was not made, or was taken back. */
export async function reportUpdateFailure(
  scope: TenantScope,
  { reason }: UpdateFailedRequest,
  now = new Date(),
): Promise<undefined> {
  await inTransaction(scope, async (db) => {
    await fail(db, scope, await getRunnerRow(db, scope.actor.id), reason, now);
  });
}

/** The others of the pool keep their program too: the next failure would be the same. */
async function fail(
  db: TenantDb,
  scope: TenantScope,
  runner: { id: string; name: string; poolId: string },
  reason: string,
  now: Date,
): Promise<void> {
  const failed = { ...NO_UPDATE, updateFailedAt: now };
  await updateRunner(db, runner.id, { ...failed, updateFailure: reason });
  await record(db, scope, 'runner.update_failed', runner, { reason });
  await notifyRunner(db, runner.id);
  const updateFailure = `Not tried, since the update of ${runner.name} failed. Update again once its reason is gone.`;
  for (const { id } of await listWaitingUpdates(db, runner.poolId)) {
    await updateRunner(db, id, { ...failed, updateFailure });
    await notifyRunner(db, id);
  }
}

async function record(
  db: TenantDb,
  scope: TenantScope,
  action: 'runner.updated' | 'runner.update_failed',
  { id, name }: { id: string; name: string },
  detail: Record<string, string> = {},
): Promise<void> {
  await recordAudit(db, scope, {
    action,
    target: encodeId('rnr', id),
    detail: { name, ...detail },
  });
}

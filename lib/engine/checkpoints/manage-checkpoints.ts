import { z } from 'zod';
import { projectsDirOf } from '@/lib/fleet/capabilities';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { notifyRunner } from '@/lib/platform/live/hint';
import { getConfig, getProjectRow } from '@/lib/projects/project-rows';
import { startSpecSchema } from '@/lib/protocol/spec';
import { type AttemptRow, lockAttempt } from '../attempt/data';
import {
  findLiveAttempt,
  findRunner,
  getChainSession,
  markDiscarded,
  markRequested,
  type SessionState,
} from './data';

/**
 * Requests a checkpoint from the runner of a session. A repeated request before it arrives changes
 * nothing.
 *
 * @throws ConflictError if nothing runs, or if checkpoints aren't stored
 */
export function requestCheckpoint(
  scope: TenantScope,
  sessionId: string,
  now = new Date(),
): Promise<CheckpointRequest> {
  requireMay(scope, 'session.checkpoint');
  const id = requireId('ses', sessionId);
  return inTransaction(scope, async (db) => {
    const session = await getChainSession(db, id);
    const attempt = await lockRunning(db, session);
    const answer = (requestedAt: Date) => ({
      sessionId,
      attemptId: encodeId('att', attempt.id),
      requestedAt: requestedAt.toISOString(),
    });
    if (attempt.checkpointRequestedAt) return answer(attempt.checkpointRequestedAt);
    await requireKept(db, session, attempt);
    await markRequested(db, attempt.id, now);
    if (attempt.runnerId) await notifyRunner(db, attempt.runnerId);
    await recordAudit(db, scope, {
      action: 'session.checkpoint_requested',
      target: sessionId,
      projectId: session.projectId,
      detail: { number: session.number },
    });
    return answer(now);
  });
}

/** Returns the running attempt, locked. */
async function lockRunning(db: TenantDb, session: SessionState) {
  const found = await findLiveAttempt(db, session.id);
  const attempt = found && (await lockAttempt(db, found.id));
  if (attempt?.status === 'claimed' || attempt?.status === 'running') return attempt;
  throw new ConflictError(whyNot(session, attempt?.status ?? null), { code: 'not_running' });
}

function whyNot({ number }: SessionState, status: string | null): string {
  if (status === 'queued') {
    return `Session #${number} is waiting for a runner. Try again once it is running.`;
  }
  if (status === 'stopping') {
    return `Session #${number} is being stopped and writes its last checkpoint automatically.`;
  }
  return `Session #${number} has ended. Only a running session can write a checkpoint.`;
}

async function requireKept(
  db: TenantDb,
  session: SessionState,
  { start, runnerId }: AttemptRow,
): Promise<void> {
  const { id, name, currentVersion } = await getProjectRow(db, session.projectId);
  const { checkpoints } = await getConfig(db, id, currentVersion);
  if (!checkpoints.enabled) {
    throw new ConflictError(
      `Checkpoints are off in ${name}. Turn them on in the settings of the project.`,
      { code: 'off' },
    );
  }
  if (!startSpecSchema.safeParse(start).data?.checkpoints) {
    throw new ConflictError(
      `Session #${session.number} started while checkpoints were off in ${name}, so it writes none.`,
      { code: 'began_without' },
    );
  }
  const runner = runnerId === null ? null : await findRunner(db, runnerId);
  // A directive that a runner doesn't know would make it reject all others too.
  if (runner && projectsDirOf(runner.capabilities) !== null) return;
  throw new ConflictError(
    `Runner ${runner?.name ?? ''} runs a version that can’t write checkpoints. Update it.`,
    { code: 'old_runner' },
  );
}

/**
 * Discards the checkpoints of a session: no start recovers from them. They can be read until their
 * retention ends. A repeated call changes nothing.
 */
export function discardSession(
  scope: TenantScope,
  sessionId: string,
  now = new Date(),
): Promise<Discard> {
  requireMay(scope, 'session.discard');
  const id = requireId('ses', sessionId);
  return inTransaction(scope, async (db) => {
    const isNew = await markDiscarded(db, id, { at: now, label: scope.actor.label });
    const session = await getChainSession(db, id);
    if (isNew) {
      await recordAudit(db, scope, {
        action: 'session.discarded',
        target: sessionId,
        projectId: session.projectId,
        detail: { number: session.number },
      });
    }
    return {
      sessionId,
      discardedAt: (session.discardedAt ?? now).toISOString(),
      discardedBy: session.discardedBy ?? scope.actor.label,
    };
  });
}

export const checkpointRequestSchema = z.object({
  sessionId: z.string(),
  attemptId: z.string(),
  requestedAt: z.string(),
});
type CheckpointRequest = z.infer<typeof checkpointRequestSchema>;

export const discardSchema = z.object({
  sessionId: z.string(),
  discardedAt: z.string().meta({ description: 'When an operator excluded it from recovery.' }),
  discardedBy: z.string(),
});
type Discard = z.infer<typeof discardSchema>;

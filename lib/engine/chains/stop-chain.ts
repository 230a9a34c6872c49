import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { enqueueAll } from '@/lib/platform/queue/enqueue';
import { lockAttempt } from '../attempt/data';
import { recordNotices } from '../events/notices';
import { endSession, endUnrun, markChainStopping, markStopping } from '../status-data';
import { getChainRow } from './chain-rows';
import { findLiveWork } from './data';
import { endChain } from './end-chain';

/**
 * Stops a chain. A running attempt is stopped and its cost is booked; a waiting one doesn't start.
 * A repeated call changes nothing.
 *
 * @throws ConflictError if the chain has ended
 */
export async function stopChain(
  scope: TenantScope,
  chainId: string,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'chain.stop');
  const jobs = await inTransaction(scope, async (db) => {
    const { session, attempt } = await lockLiveWork(db, chainId);
    const chain = await getChainRow(db, chainId);
    if (chain.status === 'ended')
      throw new ConflictError(`Chain #${chain.number} has already ended.`);
    if (chain.stopRequestedAt) return [];
    await markChainStopping(db, chainId, scope.actor.label, now);
    const asked = {
      action: 'chain.stop_requested' as const,
      target: encodeId('chn', chainId),
      projectId: chain.projectId,
      detail: { number: chain.number },
    };
    if (session && attempt && attempt.status !== 'queued') {
      await markStopping(db, attempt, { cause: 'operator' }, now);
      await recordAudit(db, scope, asked);
      return [];
    }
    const statusText = `Stopped by ${scope.actor.label} before it started.`;
    if (attempt) await endUnrun(db, attempt.id, { end: 'stopped', text: statusText }, now);
    if (session) {
      await endSession(db, session.id, { status: 'stopped', statusText }, now);
      const about = { projectId: chain.projectId, chainId, sessionId: session.id };
      recordNotices(db, [{ ...about, level: 'info', code: 'STOPPED', message: statusText }], now);
    }
    const end = {
      outcome: 'stopped' as const,
      reason: 'STOPPED',
      statusText,
      summary: '',
      servicesAffected: [],
    };
    return endChain(db, scope, chainId, end, [asked], now);
  });
  await enqueueAll(jobs);
}

/**
 * Returns the live session and attempt of a chain, locked. A claim or settlement that was faster
 * has left the state that is read here.
 */
async function lockLiveWork(db: TenantDb, chainId: string) {
  for (;;) {
    const { session, attemptId } = await findLiveWork(db, chainId);
    if (attemptId === null) return { session, attempt: null };
    const attempt = await lockAttempt(db, attemptId);
    if (attempt && attempt.status !== 'ended') return { session, attempt };
  }
}

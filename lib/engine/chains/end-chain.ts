import { type AuditEntry, recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { encodeId } from '@/lib/platform/ids';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import type { Level } from '@/lib/protocol/events';
import { withdrawPending } from '../approvals/withdraw';
import { countChain } from '../count-work';
import { chainEnded } from '../domain-events';
import { recordNotices } from '../events/notices';
import { type ChainEnd, endSession, endUnrun, markChainEnded } from '../status-data';
import { getChainRow } from './chain-rows';

/**
 * Ends a chain, publishes the event and writes the audit entries. Call it last in a transaction,
 * because the audit log is locked until the commit.
 *
 * @returns jobs to enqueue after the commit
 */
export async function endChain(
  db: TenantDb,
  scope: TenantScope,
  chainId: string,
  end: ChainEnd,
  audit: readonly AuditEntry[],
  now: Date,
): Promise<PendingJob[]> {
  if (!(await markChainEnded(db, chainId, end, now))) {
    await recordAudit(db, scope, [...audit]);
    return [];
  }
  await withdrawPending(db, scope, { chainId }, now);
  const jobs = await publish(db, scope, chainEnded, { chainId }, now);
  const chain = await getChainRow(db, chainId);
  const { projectId, number } = chain;
  countChain(db, chain, end.outcome, now);
  await recordAudit(db, scope, [
    ...audit,
    {
      action: 'chain.ended',
      target: encodeId('chn', chainId),
      projectId,
      detail: { number, outcome: end.outcome, reason: end.reason },
    },
  ]);
  return jobs;
}

interface UnstartedSession {
  attemptId: string;
  session: { id: string };
  chain: { id: string; projectId: string };
  reason: string;
  sentence: string;
  /** The attempt's end: it could not start, or it should not. */
  end: 'start_failed' | 'stopped';
  outcome: 'needs_human' | 'suppressed';
  level: Level;
  services: readonly string[];
}

/** Ends a session that must not start, together with its chain. */
export async function endUnstartedSession(
  db: TenantDb,
  scope: TenantScope,
  unstarted: UnstartedSession,
  now: Date,
): Promise<PendingJob[]> {
  const { attemptId, session, chain, reason, sentence } = unstarted;
  await endUnrun(db, attemptId, { end: unstarted.end, text: sentence }, now);
  await endSession(db, session.id, { status: 'refused', statusText: sentence }, now);
  recordNotices(
    db,
    [
      {
        projectId: chain.projectId,
        chainId: chain.id,
        sessionId: session.id,
        level: unstarted.level,
        code: reason,
        message: sentence,
      },
    ],
    now,
  );
  return endChain(
    db,
    scope,
    chain.id,
    {
      outcome: unstarted.outcome,
      reason,
      statusText: sentence,
      summary: '',
      servicesAffected: unstarted.services,
    },
    [],
    now,
  );
}

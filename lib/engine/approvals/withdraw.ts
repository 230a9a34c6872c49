import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { APPROVAL_PENDING } from '@/lib/protocol/event-codes';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { AttemptRow } from '../attempt/data';
import { commandEvidence, forgetActions } from '../cooldowns/action-rows';
import { countApproval } from '../count-work';
import { giveBack, type PendingOf, withdrawRows } from './data';

/** Closes pending requests of an attempt or a chain, because nobody waits for an answer. */
export async function withdrawPending(
  db: TenantDb,
  scope: TenantScope,
  of: PendingOf,
  now: Date,
): Promise<void> {
  const pending = await withdrawRows(db, of, now);
  if (pending.length === 0) return;
  for (const approval of pending) countApproval(db, approval, 'withdrawn', now);
  await recordAudit(
    db,
    scope,
    pending.map(({ id, projectId, chainId }) => ({
      action: 'approval.withdrawn' as const,
      target: encodeId('apr', id),
      projectId,
      detail: { chain: encodeId('chn', chainId) },
    })),
  );
}

/**
 * Takes back what was counted for commands that their runner then never ran: their cooldowns, the use of
 * their approvals, and requests that nobody waits for.
 */
export async function settleNotRun(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  events: readonly RunnerEvent[],
  now: Date,
): Promise<void> {
  const refused = events.flatMap((event) =>
    event.kind === 'brokered' && event.phase === 'refused' ? [event] : [],
  );
  if (refused.length === 0) return;
  const numbers = refused.map(({ number }) => number);
  const { id: attemptId, sessionId, projectId } = attempt;
  await forgetActions(
    db,
    sessionId,
    numbers.map((number) => commandEvidence(attemptId, number)),
  );
  // What is still to be decided is for the process that continues the conversation.
  const given = refused.filter(({ refusal }) => refusal?.code !== APPROVAL_PENDING);
  const commandNumbers = given.map(({ number }) => number);
  await withdrawPending(db, scope, { attemptId, commandNumbers }, now);
  const unused = await giveBack(db, attemptId, numbers);
  await recordAudit(
    db,
    scope,
    unused.map(({ id, usedNumber }) => ({
      action: 'approval.returned' as const,
      target: encodeId('apr', id),
      projectId,
      detail: { attempt: encodeId('att', attemptId), command: usedNumber },
    })),
  );
}

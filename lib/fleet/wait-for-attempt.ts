import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { UnauthenticatedError } from '@/lib/platform/errors';
import { liveHub } from '@/lib/platform/live/hub';
import type { NextAttemptResponse } from '@/lib/protocol/schema';
import { countRunning } from './data';
import { type Hold, openHold, runnerLongPoll } from './door';
import { poolQueue, runnerQueue } from './queues';
import { getRunnerRow } from './runner-rows';

/**
 * Returns the next attempt that waits for this runner, taken off the queue on its behalf; null
 * after 25 s, or when this process shuts down. A drained runner gets nothing. An attempt that is
 * handed out and not claimed, because the host has disconnected, is enqueued again by the sweep.
 *
 * @param gone aborted when the runner has closed the connection
 * @throws UnauthenticatedError once the runner is revoked, even while it waits
 */
export async function waitForAttempt(
  scope: TenantScope,
  gone: AbortSignal,
): Promise<NextAttemptResponse> {
  const hold = openHold(gone);
  try {
    while (!hold.signal.aborted) {
      const attemptId = await nextUntilChanged(scope, hold);
      if (attemptId !== null) return { attemptId };
    }
    return { attemptId: null };
  } finally {
    hold.release();
  }
}

/**
 * Returns null when the wait is over or the runner was changed, so that its permissions are read
 * again.
 */
async function nextUntilChanged(scope: TenantScope, hold: Hold): Promise<string | null> {
  const changed = new AbortController();
  const change = () => changed.abort();
  const unsubscribe = liveHub().subscribe(`r:${scope.actor.id}`, change);
  hold.signal.addEventListener('abort', change, { once: true });
  try {
    const queues = await queuesNow(scope);
    return await runnerLongPoll().next(queues, changed.signal);
  } finally {
    unsubscribe();
    hold.signal.removeEventListener('abort', change);
  }
}

async function queuesNow(scope: TenantScope): Promise<string[]> {
  const { runner, running } = await inTransaction(scope, async (db) => {
    const row = await getRunnerRow(db, scope.actor.id);
    return { runner: row, running: (await countRunning(db, [row.id])).get(row.id) ?? 0 };
  });
  if (runner.revokedAt) throw new UnauthenticatedError('The runner key is unknown or revoked.');
  const isFull = runner.slotLimit !== null && running >= runner.slotLimit;
  if (runner.drainingAt || runner.pausedAt || runner.updateStartedAt || isFull) return [];
  return [poolQueue(runner.poolId), runnerQueue(runner.id)];
}

import { canAskOf, tooOldToAsk } from '@/lib/fleet/posture';
import { runnerStatus } from '@/lib/fleet/status';
import { listRunnersOfPools, listWaitingWork, updateWaitTexts, type WaitingAttempt } from './data';
import { waitSentence } from './wait-sentence';

/**
 * Writes why they wait to the chains and turns of unclaimed attempts, so that lists, the API and
 * the command line show it. Rows are written only if the text has changed.
 */
export async function explainWaits(waiting: readonly WaitingAttempt[], now: Date): Promise<void> {
  if (waiting.length === 0) return;
  const work = await listWaitingWork(waiting.map(({ id }) => id));
  if (work.length === 0) return;
  const rows = await listRunnersOfPools([...new Set(work.map(({ poolId }) => poolId))]);
  const runners = rows.map((row) => ({
    ...row,
    status: runnerStatus(row, now),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  }));
  const texts = work.flatMap(({ id, isChain, isTurn, text, tier, pool, poolId }) => {
    const own = runners.flatMap((runner) =>
      runner.poolId === poolId ? [{ ...runner, pool }] : [],
    );
    const able = isTurn ? own.filter(({ posture }) => canAskOf(posture)) : own;
    const isOnline = ({ status }: { status: string }) => status === 'online';
    const said =
      own.some(isOnline) && !able.some(isOnline)
        ? `Waiting for a runner: ${tooOldToAsk(pool, own.filter(isOnline))}`
        : waitSentence(pool, tier, able.length > 0 ? able : own, null);
    return said === text ? [] : [{ id, isChain, text: said }];
  });
  if (texts.length > 0) await updateWaitTexts(texts);
}

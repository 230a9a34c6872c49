import { runnerStatus } from '@/lib/runners/fleet/status';
import { waitSentence } from '@/lib/sessions/wait-sentence';
import type { WaitingAttempt } from '../sweep/data';
import { listRunnersOfPools, listWaitingWork, updateWaitTexts } from '../waits/data';

/**
 * Says on the chains and turns of attempts that nobody has claimed why they wait, so that it stands
 * wherever they do: in lists, in the API, on the command line. Written only when it has changed.
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
  const texts = work.flatMap(({ id, isChain, text, tier, pool, poolId }) => {
    const own = runners.filter((runner) => runner.poolId === poolId);
    const said = waitSentence(
      pool,
      tier,
      own.map((runner) => ({ ...runner, pool })),
      null,
    );
    return said === text ? [] : [{ id, isChain, text: said }];
  });
  if (texts.length > 0) await updateWaitTexts(texts);
}

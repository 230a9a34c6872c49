import { deniedSentence, deniedVersionsOf, runnerDenial } from '@/lib/fleet/denied-versions';
import { canAskOf, cliVersionOf, tooOldToAsk } from '@/lib/fleet/posture';
import { runnerStatus } from '@/lib/fleet/status';
import type { WaitReason } from '../statuses';
import {
  listRunnersOfPools,
  listWaitingWork,
  type PoolRunner,
  updateWaitTexts,
  type WaitingAttempt,
  type WaitingWork,
} from './data';
import { type WaitingRunner, waitSentence } from './wait-sentence';

type Runner = WaitingRunner & Pick<PoolRunner, 'name' | 'poolId' | 'posture'>;

/**
 * Writes why they wait to the chains and turns of unclaimed attempts, so that lists, the API and
 * the command line show it. Rows are written only if the text has changed.
 */
export async function explainWaits(
  waiting: readonly Pick<WaitingAttempt, 'id'>[],
  now: Date,
): Promise<void> {
  if (waiting.length === 0) return;
  const work = await listWaitingWork(waiting.map(({ id }) => id));
  if (work.length === 0) return;
  const rows = await listRunnersOfPools([...new Set(work.map(({ poolId }) => poolId))]);
  const runners = rows.map((row) => ({
    ...row,
    status: runnerStatus(row, now),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  }));
  const texts = work.flatMap((each) => {
    const { id, isChain, text, pool, poolId } = each;
    const own = runners.flatMap((runner) =>
      runner.poolId === poolId ? [{ ...runner, pool }] : [],
    );
    const said = explain(each, own);
    return said.text === text ? [] : [{ id, isChain, ...said }];
  });
  if (texts.length > 0) await updateWaitTexts(texts);
}

/**
 * Returns what work waits for, with the sentence.
 *
 * @param own the runners of its pool
 */
function explain(
  work: WaitingWork,
  own: readonly Runner[],
): { text: string; waitReason: WaitReason } {
  const { isTurn, tier, pool, harness } = work;
  const able = isTurn ? own.filter(({ posture }) => canAskOf(posture)) : own;
  if (own.some(isOnline) && !able.some(isOnline)) {
    const text = `Waiting for a runner: ${tooOldToAsk(pool, own.filter(isOnline))}`;
    return { text, waitReason: 'runner' };
  }
  const denied = deniedVersionsOf(work);
  const judged = able.map((runner) => ({
    ...runner,
    version: cliVersionOf(runner.posture, harness),
    denial: runnerDenial(runner.posture, harness, denied),
  }));
  const wouldTake = judged.filter((each) => isOnline(each) && each.allowedTiers.includes(tier));
  const refused = wouldTake.flatMap(({ denial, ...each }) => (denial ? [{ ...each, denial }] : []));
  if (refused.length > 0 && refused.length === wouldTake.length) {
    return { text: deniedSentence(pool, harness, refused), waitReason: 'version' };
  }
  const allowed = judged.filter(({ denial }) => denial === null);
  const text = waitSentence(pool, tier, allowed.length > 0 ? allowed : own, null);
  return { text, waitReason: 'runner' };
}

function isOnline({ status }: { status: string }): boolean {
  return status === 'online';
}

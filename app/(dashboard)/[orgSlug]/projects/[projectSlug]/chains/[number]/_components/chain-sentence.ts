import { type WaitingRunner, waitSentence, withoutWait } from '@/lib/engine/sweep/wait-sentence';
import type { ChainDetail } from '@/lib/insight/chains/schema';

type Facts = Pick<ChainDetail, 'status' | 'statusText' | 'outcome'> & {
  sessions: readonly {
    status: string;
    statusText: string;
    waitReason: string | null;
    tier: number;
  }[];
};

/** State and reason in a sentence, computed from rows. */
export function chainSentence(
  chain: Facts,
  pool: string,
  runners: readonly WaitingRunner[],
): string {
  const last = chain.sessions.at(-1);
  const isWaiting = last?.status === 'queued' || last?.status === 'waiting';
  if (chain.outcome === null && last && isWaiting) {
    return withoutWait(last) || waitSentence(pool, last.tier, runners);
  }
  return chain.statusText || 'Nothing has been said about it yet.';
}

/** What the last tier claims, as its report put it; null before the first one ended. */
export function reportedSummary(chain: {
  summary: string;
  statusText: string;
  highestTier: number;
}): { tier: number; text: string } | null {
  if (chain.summary === '' || chain.summary === chain.statusText) return null;
  return { tier: chain.highestTier, text: chain.summary };
}

/** What follows the end of a turn's process. */

import type { ClassifiedEnd } from '@/lib/agents/attempt-end';
import {
  FALLBACK_REASONS,
  type FallbackReason,
  isFallbackEnd,
} from '@/lib/engine/continuation/fallbacks';
import { MAX_WAIT_SECONDS } from '@/lib/engine/continuation/retry';
import { againSentence, endedSentence } from './turn-sentence';

export interface TurnEndFacts extends Pick<ClassifiedEnd, 'end' | 'retry' | 'happened' | 'advice'> {
  /** The agent's last words; null where there are none. */
  answer: string | null;
  isResumed: boolean;
  /** Tools that were called, whatever they did. */
  toolCalls: number;
  /** This turn has already started without its conversation because of a failure. */
  hasFallenBack: boolean;
  /** Further processes of this turn so far, a fallback not counted. */
  retriesUsed: number;
  /** A person asked for its end, or took the turn out of the history. */
  isStopped: boolean;
}

export type TurnEnd =
  | { kind: 'answered'; answer: string }
  /** The same turn again. `transcript`: without the conversation, with everything that was said. */
  | {
      kind: 'again';
      onlyMode: 'transcript' | null;
      afterSeconds: number;
      reason: AgainReason;
      sentence: string;
    }
  | { kind: 'ended'; status: 'failed' | 'lost' | 'timed_out' | 'stopped'; sentence: string };

type AgainReason = FallbackReason | 'RETRY_ONCE';

/**
 * 1. A person's word wins; then an answer is an answer.
 * 2. A conversation that cannot be continued: once more from the transcript, if no tool ran.
 * 3. A passing fault: once more, if no tool ran. Everything else ends the turn.
 */
export function decideTurnEnd(facts: TurnEndFacts): TurnEnd {
  const { end, answer } = facts;
  if (end === 'stopped') return ended(facts, 'stopped');
  if (end === 'completed') {
    return answer ? { kind: 'answered', answer } : ended(facts, 'failed', NO_ANSWER);
  }
  const next = facts.isStopped || facts.toolCalls > 0 ? null : againOf(facts);
  return next ?? ended(facts, statusOf(facts));
}

const NO_ANSWER = 'The agent ended without a word. Ask again, or in other words.';

function againOf(facts: TurnEndFacts): Extract<TurnEnd, { kind: 'again' }> | null {
  const { end, retry, hasFallenBack, retriesUsed } = facts;
  if (isFallbackEnd(end)) {
    if (!facts.isResumed || hasFallenBack) return null;
    return again(facts, FALLBACK_REASONS[end], 'transcript', 0);
  }
  if (retry.kind === 'none' || retriesUsed > 0) return null;
  const afterSeconds = retry.kind === 'after' ? retry.seconds : 0;
  if (afterSeconds > MAX_WAIT_SECONDS) return null;
  return again(facts, 'RETRY_ONCE', hasFallenBack ? 'transcript' : null, afterSeconds);
}

function again(
  facts: TurnEndFacts,
  reason: AgainReason,
  onlyMode: 'transcript' | null,
  afterSeconds: number,
): Extract<TurnEnd, { kind: 'again' }> {
  const how = { reason, onlyMode, afterSeconds };
  return { kind: 'again', ...how, sentence: againSentence(facts, how) };
}

function statusOf({ end, isStopped }: TurnEndFacts) {
  if (isStopped) return 'stopped';
  return end === 'lost' || end === 'timed_out' ? end : 'failed';
}

function ended(
  facts: TurnEndFacts,
  status: Extract<TurnEnd, { kind: 'ended' }>['status'],
  sentence = endedSentence(facts),
): TurnEnd {
  return { kind: 'ended', status, sentence };
}

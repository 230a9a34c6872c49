/** Decides what follows the end of a turn's process. */

import { type ClassifiedEnd, type EndText, joinSentences } from '@/lib/agents/attempt-end';
import {
  FALLBACK_REASONS,
  type FallbackReason,
  isFallbackEnd,
} from '@/lib/engine/continuation/reasons';
import { MAX_WAIT_SECONDS } from '@/lib/engine/continuation/retry';
import { afterSilence, type SilenceFacts } from '@/lib/engine/continuation/silence';
import { roughSpan } from '@/lib/platform/format/duration';

export interface TurnEndFacts extends Pick<ClassifiedEnd, 'end' | 'retry' | 'happened' | 'advice'> {
  /** The agent's last text; null if there is none. */
  answer: string | null;
  isResumed: boolean;
  /** Number of tool calls of all the turn's attempts, whatever they did. */
  toolCalls: number;
  silence: SilenceFacts;
  /** This turn has already started without its conversation because of a failure. */
  hasFallenBack: boolean;
  /** Number of retries of this turn so far, without a fallback. */
  retriesUsed: number;
  /** A person stopped it, or removed the turn from the history. */
  isStopped: boolean;
}

export type TurnEnd =
  | { kind: 'answered'; answer: string }
  /** The turn starts again. `transcript`: without the conversation, with the transcript instead. */
  | {
      kind: 'again';
      onlyMode: 'transcript' | null;
      afterSeconds: number;
      reason: AgainReason;
      sentence: string;
    }
  /** The turn's own conversation continues in another process. */
  | { kind: 'continue'; reason: 'CONTINUE_ONCE'; sentence: string }
  /** `reason`: `CONTINUE_SPENT`, or the end of its process in capitals. */
  | {
      kind: 'ended';
      status: 'failed' | 'lost' | 'timed_out' | 'stopped';
      reason: string;
      sentence: string;
    };

type AgainReason = FallbackReason | 'RETRY_ONCE';

/**
 * Decides what follows the end of a turn's process.
 *
 * 1. A stop by a person has priority; otherwise an answer completes the turn.
 * 2. A silence with no call open: its own conversation continues, once. A second silence ends it.
 * 3. A conversation that can't be continued: once more from the transcript, if no tool ran.
 * 4. A fault that can pass: once more, if no tool ran. Everything else ends the turn.
 */
export function decideTurnEnd(facts: TurnEndFacts): TurnEnd {
  const { end, answer } = facts;
  if (end === 'stopped') return ended(facts, 'stopped');
  if (end === 'completed') {
    return answer ? { kind: 'answered', answer } : ended(facts, 'failed', { sentence: NO_ANSWER });
  }
  if (facts.isStopped) return ended(facts, 'stopped');
  switch (afterSilence(end, facts.silence)) {
    case 'continue':
      return { kind: 'continue', reason: 'CONTINUE_ONCE', sentence: continueSentence(facts) };
    case 'spent':
      return ended(facts, 'failed', { reason: 'CONTINUE_SPENT', sentence: spentSentence(facts) });
  }
  const next = facts.toolCalls > 0 ? null : againOf(facts);
  return next ?? ended(facts, end === 'lost' || end === 'timed_out' ? end : 'failed');
}

const NO_ANSWER = 'The agent ended without an answer. Ask again, or rephrase the question.';

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

function ended(
  facts: TurnEndFacts,
  status: Extract<TurnEnd, { kind: 'ended' }>['status'],
  { reason = facts.end.toUpperCase(), sentence = endedSentence(facts) } = {},
): TurnEnd {
  return { kind: 'ended', status, reason, sentence };
}

type Again = Extract<TurnEnd, { kind: 'again' }>;

/** Returns the text for a turn that starts again automatically, now or later. */
export function againSentence(
  { happened, advice }: EndText,
  { reason, onlyMode, afterSeconds }: Pick<Again, 'reason' | 'onlyMode' | 'afterSeconds'>,
): string {
  const how = onlyMode === 'transcript' ? ' from the full transcript' : '';
  if (afterSeconds > 0) {
    return joinSentences(
      happened,
      `The next retry${how} is in ${roughSpan(afterSeconds)}.`,
      advice,
    );
  }
  const why = reason === 'RETRY_ONCE' ? 'No tool had run, so the turn' : 'The turn';
  return joinSentences(happened, `${why} starts again${how}.`);
}

/** Returns the text for a turn that went silent and continues. */
function continueSentence({ happened }: EndText): string {
  return joinSentences(
    happened,
    'All its tool calls had ended, so the agent continues once, where it left off.',
  );
}

/** Returns the text for a turn that went silent again. */
function spentSentence({ happened, advice }: EndText): string {
  return joinSentences(happened, 'The agent stalled again after it was continued once.', advice);
}

/** Returns the text for a turn that ends. */
export function endedSentence(facts: TurnEndFacts): string {
  const { happened, advice } = facts;
  if (facts.end === 'stopped' || facts.isStopped) return joinSentences(happened, advice);
  return joinSentences(
    happened,
    whyNotAgain(facts),
    advice === '' ? 'Ask again in a while.' : advice,
  );
}

/** Returns why there is no retry, if there otherwise would have been one. */
function whyNotAgain({ end, retry, toolCalls, retriesUsed }: TurnEndFacts): string {
  if (retry.kind === 'none') return '';
  if (toolCalls > 0) return "Tools had run, so the turn isn't repeated automatically.";
  if (isFallbackEnd(end)) return '';
  if (retriesUsed > 0) return 'It was tried twice.';
  return retry.kind === 'after'
    ? `A retry makes sense in ${roughSpan(retry.seconds)} at the earliest.`
    : '';
}

/** Texts about a turn whose process failed. */

import { type EndText, told } from '@/lib/agents/attempt-end';
import { isFallbackEnd } from '@/lib/engine/continuation/fallbacks';
import { roughSpan } from '@/lib/platform/format/duration';
import type { TurnEnd, TurnEndFacts } from './turn-end';

type Again = Extract<TurnEnd, { kind: 'again' }>;

/** Returns the text for a turn that starts again automatically, now or later. */
export function againSentence(
  { happened, advice }: EndText,
  { reason, onlyMode, afterSeconds }: Pick<Again, 'reason' | 'onlyMode' | 'afterSeconds'>,
): string {
  const how = onlyMode === 'transcript' ? ' from the whole transcript' : '';
  if (afterSeconds > 0) {
    return told(happened, `The next try${how} is in ${roughSpan(afterSeconds)}.`, advice);
  }
  const why = reason === 'RETRY_ONCE' ? 'No tool had run, so the turn' : 'The turn';
  return told(happened, `${why} starts again${how}.`);
}

/** Returns the text for a turn that went silent and continues. */
export function continueSentence({ happened }: EndText): string {
  return told(
    happened,
    'All its tool calls had ended, so the agent continues once, where it left off.',
  );
}

/** Returns the text for a turn that went silent again. */
export function spentSentence({ happened, advice }: EndText): string {
  return told(happened, 'The agent went silent again after it was continued once.', advice);
}

/** Returns the text for a turn that ends. */
export function endedSentence(facts: TurnEndFacts): string {
  const { happened, advice } = facts;
  if (facts.end === 'stopped' || facts.isStopped) return told(happened, advice);
  return told(happened, whyNotAgain(facts), advice === '' ? 'Ask again in a while.' : advice);
}

/** Returns why there is no retry, if there otherwise would have been one. */
function whyNotAgain({ end, retry, toolCalls, retriesUsed }: TurnEndFacts): string {
  if (retry.kind === 'none') return '';
  if (toolCalls > 0) return "Tools had run, so the turn isn't repeated by itself.";
  if (isFallbackEnd(end)) return '';
  if (retriesUsed > 0) return 'It was tried twice.';
  return retry.kind === 'after'
    ? `Another try makes sense in ${roughSpan(retry.seconds)} at the earliest.`
    : '';
}

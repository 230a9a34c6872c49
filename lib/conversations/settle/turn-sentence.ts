/** What people read of a turn whose process ended badly. The texts of ends are written for tiers. */
import type { AttemptEnd } from '@/lib/harness/attempt-end';

const PROMISE = / ?The next (?:try|attempt) [^.]*\./g;

/** A turn has an agent's model, and the limits and tools of tier 1. */
const OF_TIERS: readonly [RegExp, string][] = [
  [/\bmodel (of|for) this tier\b/g, 'model $1 this agent'],
  [/\bthis tier\b/g, 'tier 1'],
  [/\bthe tier's model and tools\b/g, "the agent's model and the tools of tier 1"],
];

/** Of a turn that nothing follows. */
export function endedSentence(end: AttemptEnd, text: string): string {
  const told = OF_TIERS.reduce(
    (said, [words, instead]) => said.replace(words, instead),
    text.replace(PROMISE, '').trim(),
  );
  return end === 'context_exhausted'
    ? `${firstSentence(told)} Take earlier turns out, send less at once, or begin another conversation.`
    : told;
}

/** Of a turn that starts again by itself, now or, with its time in the text, later. */
export function againSentence(
  text: string,
  { onlyMode, afterSeconds, isFallback }: AgainFacts,
): string {
  if (afterSeconds > 0) return text;
  const told = firstSentence(text);
  if (isFallback) return `${told} The turn starts again from the whole transcript.`;
  const how = onlyMode === 'transcript' ? ' from the whole transcript' : '';
  return `${told} No tool had run, so the turn starts again${how}.`;
}

interface AgainFacts {
  onlyMode: 'transcript' | null;
  afterSeconds: number;
  isFallback: boolean;
}

function firstSentence(text: string): string {
  return text.split(/(?<=[.!?…]) (?=[A-Z])/)[0] ?? text;
}

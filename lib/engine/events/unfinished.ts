import { z } from 'zod';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import type { RunnerEvent } from '@/lib/protocol/events';

/** The part of an unfinished message that has arrived and may be shown. */
const unfinishedAnswerSchema = z.object({ messageId: z.string(), text: z.string() });
export type UnfinishedAnswer = z.infer<typeof unfinishedAnswerSchema>;

/** The unfinished answer as it is stored with the attempt. */
export const keptUnfinishedSchema = unfinishedAnswerSchema.extend({
  /** A piece could not be shown, so no later one can. The message appears when it is complete. */
  isCut: z.boolean().optional(),
});
export type KeptUnfinished = z.infer<typeof keptUnfinishedSchema>;

/** The next piece of an answer, for a reader who has the text up to `from`. */
export interface AnswerPiece extends UnfinishedAnswer {
  /** Position of `text` in the message, in characters. */
  from: number;
}

/** Returns the unfinished answer; null if there is none, or if its text must not be shown. */
export function shownUnfinished(stored: unknown): UnfinishedAnswer | null {
  const answer = unfinishedAnswerSchema.nullable().parse(stored);
  return answer?.text ? answer : null;
}

/**
 * A runner sends at most 40,000 characters before redaction; this limit is for one that sends more.
 */
const MAX_CHARACTERS = 60_000;
const MARKER_AT_END = /\[redacted: [a-z0-9 ]+\]["'\\]*$/;

const redactor = createRedactor({ secrets: [] });

/** The stored answer, with new pieces that follow `shown`, which is redacted. */
interface Growing extends KeptUnfinished {
  shown: string;
}

/**
 * Returns the unfinished answer after these events. A whole text replaces its pieces. So does
 * another message, because the agent that was asked again abandons the first answer.
 *
 * Pieces are redacted together with all earlier ones. A runner holds back whatever may become part
 * of a secret, so the text it has sent never ends in an unfinished one. If it does, the runner
 * redacts nothing, or less than it should: this piece and all later ones are dropped, because the
 * rest of a secret can't be recognized without its beginning.
 */
export function grownBy(
  before: KeptUnfinished | null,
  events: readonly RunnerEvent[],
): KeptUnfinished | null {
  const begun = before && { ...before, shown: before.text };
  const grown = events.reduce<Growing | null>((answer, event) => {
    if (event.kind === 'text' && event.parentToolUseId === null) return null;
    // The result contains the whole answer.
    if (event.kind === 'result' && !event.isError) return null;
    if (event.kind !== 'answer_part') return answer;
    const { messageId, text } = event;
    const same = answer?.messageId === messageId ? answer : { messageId, text: '', shown: '' };
    return same.isCut ? same : { ...same, text: same.text + text };
  }, begun);
  if (grown === begun) return before;
  return grown && reviewed(grown);
}

function reviewed({ messageId, text, shown }: Growing): KeptUnfinished {
  if (text.length > MAX_CHARACTERS) return { messageId, text: shown, isCut: true };
  const redacted = redactor.text(text);
  return isClosed(text, redacted)
    ? { messageId, text: redacted }
    : { messageId, text: shown, isCut: true };
}

function isClosed(text: string, redacted: string): boolean {
  // The runner has redacted a value whose end it has not seen, so the rest is redacted too.
  if (text === redacted && MARKER_AT_END.test(text)) return !redactor.hasOpenEnd(`${text} `);
  return /\s$/.test(redacted) && !redactor.hasOpenEnd(text);
}

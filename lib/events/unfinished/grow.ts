import type { RunnerEvent } from '@/lib/runner-protocol/events';
import type { AnswerPiece, UnfinishedAnswer } from './schema';

/** A runner tells less; this holds one that does not keep to it. */
const MAX_CHARACTERS = 200_000;

/**
 * What is being written after these events. A whole text takes the place of its pieces, and so does
 * another message: where the agent was asked again, what broke off is nobody's answer.
 */
export function grownBy(
  before: UnfinishedAnswer | null,
  events: readonly RunnerEvent[],
): UnfinishedAnswer | null {
  return events.reduce((answer, event) => {
    if (event.kind === 'text' && event.parentToolUseId === null) return null;
    // It has the whole answer.
    if (event.kind === 'result' && !event.isError) return null;
    if (event.kind !== 'answer_part') return answer;
    const { messageId, text } = event;
    const begun = answer?.messageId === messageId ? answer.text : '';
    return { messageId, text: (begun + text).slice(0, MAX_CHARACTERS) };
  }, before);
}

/** What to tell somebody who has seen some of it; null where there is nothing new. */
export function pieceBeyond(
  shown: UnfinishedAnswer | null,
  { messageId, text }: UnfinishedAnswer,
): AnswerPiece | null {
  const isSame = shown?.messageId === messageId && text.startsWith(shown.text);
  const from = isSame ? shown.text.length : 0;
  return from === text.length ? null : { messageId, from, text: text.slice(from) };
}

export function withPiece(
  shown: UnfinishedAnswer | null,
  { messageId, from, text }: AnswerPiece,
): UnfinishedAnswer {
  const before = shown?.messageId === messageId ? shown.text.slice(0, from) : '';
  return { messageId, text: before + text };
}

/** A stored event that takes the place of pieces: the message is whole, or will never be. */
export function isWholeAnswer({ kind, payload }: { kind: string; payload: object }): boolean {
  if (kind === 'answer_part') return true;
  return kind === 'text' && 'parentToolUseId' in payload && payload.parentToolUseId === null;
}

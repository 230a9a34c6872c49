/** How an answer that is being written reaches those who read along. Pages load this: keep it small. */
import type { AnswerPiece, UnfinishedAnswer } from './schema';

/** Returns the piece that a reader who has seen `shown` still lacks; null where there is none. */
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

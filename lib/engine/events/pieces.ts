/** How readers follow an answer that is being written. Pages load this file, so keep it small. */

import type { AnswerPiece, UnfinishedAnswer } from './unfinished';

/** Returns the piece that a reader who has seen `shown` lacks; null if there is none. */
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

/**
 * Returns whether a stored event replaces the pieces: the message is complete, or never will be.
 */
export function isWholeAnswer({ kind, payload }: { kind: string; payload: object }): boolean {
  if (kind === 'answer_part') return true;
  return kind === 'text' && 'parentToolUseId' in payload && payload.parentToolUseId === null;
}

/** How readers follow an answer that is being written. Pages load this file, so keep it small. */

import type { AnswerPiece, UnfinishedAnswer } from './unfinished';

/** How much of an unfinished answer a reader has, without its text. */
export interface ShownAnswer {
  messageId: string;
  /** In characters. */
  length: number;
  /** Checksum of the text, since redaction may change what was shown before. */
  checksum: number;
}

export function shownPart(answer: UnfinishedAnswer | null): ShownAnswer | null {
  if (!answer) return null;
  const { messageId, text } = answer;
  return { messageId, length: text.length, checksum: checksumOf(text) };
}

/** FNV-1a over UTF-16 code units, 32 bits: short, and the same in a browser and here. */
function checksumOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Returns the piece that a reader who has seen `shown` lacks; null if there is none. */
export function pieceBeyond(
  shown: ShownAnswer | null,
  { messageId, text }: UnfinishedAnswer,
): AnswerPiece | null {
  const isSame =
    shown?.messageId === messageId && checksumOf(text.slice(0, shown.length)) === shown.checksum;
  const from = isSame ? Math.min(shown.length, text.length) : 0;
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

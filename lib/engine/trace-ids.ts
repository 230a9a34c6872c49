/**
 * Ids of traces and spans. They follow from the rows, so that the same row is the same span wherever and
 * however often it is exported, and a link to it needs no lookup.
 */

import { createHash } from 'node:crypto';

/** Returns the trace of a chain: the bytes of its UUID, 32 hexadecimal digits. */
export function traceIdOf(chainId: string): string {
  return chainId.replaceAll('-', '');
}

/** What a span is about. */
export type SpanSubject =
  | 'chain'
  | 'session'
  | 'attempt'
  | 'request'
  | 'tool'
  | 'command'
  | 'approval';

/** Returns the span of a row, or of what is unique within one: 16 hexadecimal digits. */
export function spanIdOf(subject: SpanSubject, ...key: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify([subject, ...key]));
  const id = hash.digest('hex').slice(0, 16);
  // The one id that means “none”.
  return /^0+$/.test(id) ? '0000000000000001' : id;
}

/**
 * Returns the W3C `traceparent` under which what an attempt starts belongs to its span, for the variable
 * TRACEPARENT. It is marked as sampled.
 *
 * @param chainId UUID @param attemptId UUID
 */
export function traceparentOf(chainId: string, attemptId: string): string {
  return `00-${traceIdOf(chainId)}-${spanIdOf('attempt', attemptId)}-01`;
}

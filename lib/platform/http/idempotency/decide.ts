import type { StoredAnswer } from './service';

export const KEPT_MS = 24 * 3_600_000;

/** A process that ended in mid-request never answers; after this the key may be used again. */
export const ABANDONED_MS = 5 * 60_000;

interface EarlierRequest {
  bodyHash: string;
  createdAt: Date;
  /** Null while it has no answer. */
  answer: StoredAnswer | null;
}

type IdempotencyDecision =
  | { kind: 'replay'; answer: StoredAnswer }
  | { kind: 'other_body' }
  | { kind: 'still_running' }
  /** The earlier row no longer counts: replace it and run. */
  | { kind: 'take_over' };

/** What a request means whose key has been seen. */
export function decideRepeat(
  earlier: EarlierRequest,
  bodyHash: string,
  now: Date,
): IdempotencyDecision {
  const ageMs = now.getTime() - earlier.createdAt.getTime();
  if (ageMs > KEPT_MS) return { kind: 'take_over' };
  if (earlier.bodyHash !== bodyHash) return { kind: 'other_body' };
  if (earlier.answer) return { kind: 'replay', answer: earlier.answer };
  return { kind: ageMs > ABANDONED_MS ? 'take_over' : 'still_running' };
}

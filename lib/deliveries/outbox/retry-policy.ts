import type { SendResult } from './transport';

/**
 * Delays before the 1st, 2nd … 8th attempt in seconds, 27 h 35 min in total: the schedule of Svix.
 */
export const ATTEMPT_DELAYS_SECONDS = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;
export const MAX_ATTEMPTS = ATTEMPT_DELAYS_SECONDS.length;
/** Timeout of one attempt, in milliseconds. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** How many bytes of an answer are stored, for people to read. */
export const RESPONSE_EXCERPT_BYTES = 4_096;
/** An endpoint or channel that only fails for this many days is disabled. */
export const DISABLE_AFTER_FAILING_DAYS = 5;

/** A `Retry-After` can't postpone a delivery by more than the longest delay of the schedule. */
const LONGEST_DELAY_SECONDS = Math.max(...ATTEMPT_DELAYS_SECONDS);
const DAY_MS = 86_400_000;

/** State of an endpoint or channel. */
export interface RecipientState {
  /** The first failure since the last success; null when the last one succeeded. */
  failingSince: Date | null;
  /** Of a notification channel: CHANNEL_KINDS in lib/deliveries/channels/registry.ts. */
  kind?: string;
}

export type DeliveryStep =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: Date }
  /** No attempt is left, or this one disabled the recipient. */
  | { kind: 'exhausted' }
  /** The target isn't allowed or doesn't exist. A retry can't change that. */
  | { kind: 'refused' };

export type RecipientStep =
  | { kind: 'healthy' }
  | { kind: 'failing'; since: Date }
  /** `gone`: it answered 410, or what else its kind means by that. */
  | { kind: 'disable'; reason: 'gone' | 'failing_five_days' };

export interface DeliveryDecision {
  delivery: DeliveryStep;
  recipient: RecipientStep;
}

/**
 * Decides what follows an attempt. A failure that can pass is retried on schedule, or later if the
 * recipient sends Retry-After.
 *
 * @param attemptsMade includes this one, so it is at least 1
 */
export function decideDelivery(
  result: SendResult,
  attemptsMade: number,
  recipient: RecipientState,
  now: Date,
): DeliveryDecision {
  if (result.isTaken) {
    return { delivery: { kind: 'delivered' }, recipient: { kind: 'healthy' } };
  }
  const next = decideRecipient(result, recipient, now);
  if (result.isPermanent) return { delivery: { kind: 'refused' }, recipient: next };
  const scheduledSeconds = ATTEMPT_DELAYS_SECONDS[attemptsMade];
  if (scheduledSeconds === undefined || next.kind === 'disable') {
    return { delivery: { kind: 'exhausted' }, recipient: next };
  }
  const seconds = Math.max(scheduledSeconds, retryAfterSeconds(result.retryAfter, now));
  return {
    delivery: { kind: 'retry', at: new Date(now.getTime() + seconds * 1_000) },
    recipient: next,
  };
}

function decideRecipient(result: SendResult, recipient: RecipientState, now: Date): RecipientStep {
  if (result.isGone) return { kind: 'disable', reason: 'gone' };
  const since = recipient.failingSince ?? now;
  if (now.getTime() - since.getTime() >= DISABLE_AFTER_FAILING_DAYS * DAY_MS) {
    return { kind: 'disable', reason: 'failing_five_days' };
  }
  return { kind: 'failing', since };
}

/**
 * Returns Retry-After (seconds or a date) in seconds; 0 if it is missing, in the past or invalid.
 */
export function retryAfterSeconds(header: string | null, now: Date): number {
  if (!header) return 0;
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - now.getTime()) / 1_000);
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), LONGEST_DELAY_SECONDS);
}

import type { OutboundResult } from '../outbound-http/result';

/** Before the 1st, 2nd … 8th attempt: 27 h 35 min in all. Receivers know it from Svix. */
export const ATTEMPT_DELAYS_SECONDS = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;
export const MAX_ATTEMPTS = ATTEMPT_DELAYS_SECONDS.length;
/** Of one attempt, in all. */
export const ATTEMPT_TIMEOUT_MS = 15_000;
/** What is kept of an answer, for people to read. */
export const RESPONSE_EXCERPT_BYTES = 4_096;
/** An endpoint that answers nothing but failures for so long is disabled. */
export const DISABLE_AFTER_FAILING_DAYS = 5;

/** No receiver may push a delivery further away than the schedule itself would. */
const LONGEST_DELAY_SECONDS = Math.max(...ATTEMPT_DELAYS_SECONDS);
const DAY_MS = 86_400_000;

export interface EndpointState {
  /** The first failure since the last success; null when the last one succeeded. */
  failingSince: Date | null;
}

export type DeliveryStep =
  | { kind: 'delivered' }
  | { kind: 'retry'; at: Date }
  /** No attempt is left, or the endpoint is disabled by this one. */
  | { kind: 'exhausted' }
  /** The address is not allowed. Final: trying again would only probe. */
  | { kind: 'refused' };

export type EndpointStep =
  | { kind: 'healthy' }
  | { kind: 'failing'; since: Date }
  /** `gone`: it answered 410. */
  | { kind: 'disable'; reason: 'gone' | 'failing_five_days' };

export interface DeliveryDecision {
  delivery: DeliveryStep;
  endpoint: EndpointStep;
}

/**
 * What follows from one attempt. Only a 2xx answer delivers; every other answer and every failure
 * that may pass is tried again on schedule, later if the receiver asks so by Retry-After.
 * @param attemptsMade counts this one, so it is at least 1
 */
export function decideDelivery(
  result: OutboundResult,
  attemptsMade: number,
  endpoint: EndpointState,
  now: Date,
): DeliveryDecision {
  if (isDelivered(result))
    return { delivery: { kind: 'delivered' }, endpoint: { kind: 'healthy' } };

  const next = decideEndpoint(result, endpoint, now);
  if (!result.ok && result.isPermanent) return { delivery: { kind: 'refused' }, endpoint: next };
  const scheduledSeconds = ATTEMPT_DELAYS_SECONDS[attemptsMade];
  if (scheduledSeconds === undefined || next.kind === 'disable') {
    return { delivery: { kind: 'exhausted' }, endpoint: next };
  }
  const seconds = Math.max(scheduledSeconds, askedDelaySeconds(result, now));
  return {
    delivery: { kind: 'retry', at: new Date(now.getTime() + seconds * 1_000) },
    endpoint: next,
  };
}

/** Whether the receiver took the event. */
export function isDelivered(result: OutboundResult): boolean {
  return result.ok && result.status >= 200 && result.status < 300;
}

function decideEndpoint(result: OutboundResult, endpoint: EndpointState, now: Date): EndpointStep {
  if (result.ok && result.status === 410) return { kind: 'disable', reason: 'gone' };
  const since = endpoint.failingSince ?? now;
  if (now.getTime() - since.getTime() >= DISABLE_AFTER_FAILING_DAYS * DAY_MS) {
    return { kind: 'disable', reason: 'failing_five_days' };
  }
  return { kind: 'failing', since };
}

/** Retry-After in seconds or as a date; 0 when it is absent, past or makes no sense. */
function askedDelaySeconds(result: OutboundResult, now: Date): number {
  const header = result.ok ? result.headers['retry-after']?.trim() : undefined;
  if (!header) return 0;
  const seconds = /^\d+$/.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - now.getTime()) / 1_000);
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), LONGEST_DELAY_SECONDS);
}

import { choiceParam, type Params, textParam } from '@/app/_components/lists/list-params';
import { MAX_ATTEMPTS } from '@/lib/deliveries/outbox/retry-policy';
import type { DeliveryDto, DeliveryStatus } from '@/lib/deliveries/outbox/schema';
import { formatDuration } from '@/lib/platform/format/duration';

type Attempt = DeliveryDto['log'][number];

/** A job is enqueued at once; what is not sent after this long waits for a worker. */
const WORKER_AWAY_MS = 30_000;

const NO_WORKER =
  'It is due but no worker has picked it up. Check that the worker process is running.';

const FAILURES: Record<string, string> = {
  dns_failed: 'its name was not found',
  connection_refused: 'connection refused',
  connection_timeout: 'no connection in time',
  tls_failed: 'TLS failed',
  response_timeout: 'no response within 15 s',
  too_large: 'response too large',
  redirect: 'redirected, which is not followed',
  private_address: 'private address',
  metadata_address: 'metadata address',
  http_not_allowed: 'plain http',
  bad_url: 'not a usable URL',
  secret_unreadable: 'signing secret unreadable',
  other: 'connection failed',
};

/** The texts for these addresses already say that nothing is retried. */
const NOT_CALLED = new Set(['private_address', 'metadata_address']);

/** On its way, so that the next look may show something else. */
export function isUnderWay(delivery: DeliveryDto, now: Date): boolean {
  return (
    delivery.status === 'sending' || (delivery.status === 'scheduled' && !isLate(delivery, now))
  );
}

/** What one attempt came to, in a few words: `204`, `500`, `connection refused`. */
export function attemptResult({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  if (error) return FAILURES[error] ?? error.replaceAll('_', ' ');
  return status === null ? 'no response' : String(status);
}

/** Completes the badge: "2 of 8", "after 8 attempts". */
export function deliveryDetail({ status, attempts }: DeliveryDto): string | null {
  if (status === 'retrying') return `${attempts} of ${MAX_ATTEMPTS}`;
  if (status === 'exhausted') return `after ${attempts} attempt${attempts === 1 ? '' : 's'}`;
  return null;
}

/**
 * Returns what happened to a delivery and why, without the time of the next retry, which is shown
 * as a countdown.
 */
export function deliverySentence(delivery: DeliveryDto, host: string, now: Date): string {
  const last = delivery.log.at(-1);
  switch (delivery.status) {
    case 'scheduled':
      return isLate(delivery, now)
        ? NO_WORKER
        : 'It is waiting for the worker, which picks it up within seconds.';
    case 'sending':
      return `It is on its way to ${host}, which has 15 s to respond.`;
    case 'delivered':
      return last
        ? `${host} responded ${attemptResult(last)} in ${formatDuration(last.durationMs)}.`
        : `${host} accepted it.`;
    case 'retrying':
      return isLate(delivery, now)
        ? `${lastFailure(last, host)} ${NO_WORKER}`
        : `${lastFailure(last, host)} It will be retried.`;
    case 'exhausted':
      return `${lastFailure(last, host)} Fix the receiver, then replay the delivery.`;
    case 'refused':
      return last && NOT_CALLED.has(last.error ?? '')
        ? last.responseExcerpt
        : `${last?.responseExcerpt ?? 'The address is not allowed.'} It won’t be retried.`;
    case 'cancelled':
      return 'The endpoint was disabled before it arrived. Enable it, then replay.';
  }
}

function isLate({ nextAttemptAt, createdAt }: DeliveryDto, now: Date): boolean {
  return now.getTime() - Date.parse(nextAttemptAt ?? createdAt) > WORKER_AWAY_MS;
}

function lastFailure(last: Attempt | undefined, host: string): string {
  if (!last) return `${host} did not accept it.`;
  if (last.error) return last.responseExcerpt || `${host}: ${attemptResult(last)}.`;
  return `${host} responded ${attemptResult(last)}.`;
}

const DELIVERY_VIEWS = ['all', 'failed', 'delivered'] as const;
type DeliveryView = (typeof DELIVERY_VIEWS)[number];

/** What each view lists. */
export const STATUSES_OF: Record<DeliveryView, readonly DeliveryStatus[] | undefined> = {
  all: undefined,
  failed: ['retrying', 'exhausted', 'refused'],
  delivered: ['delivered'],
};

/** Hours that the list may go back; without a choice it goes back to the first delivery. */
const SINCE_HOURS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;
export type Since = keyof typeof SINCE_HOURS;
const sinceKeys = ['1h', '24h', '7d', '30d'] as const satisfies readonly Since[];

/** Where a list that goes back so far begins. */
export function sinceTime(since: Since, now: Date): Date {
  return new Date(now.getTime() - SINCE_HOURS[since] * 3_600_000);
}

export interface DeliveryQuery {
  state: DeliveryView;
  since?: Since | undefined;
  /** `dlv_…` of the one that is open. */
  delivery?: string | undefined;
  cursor?: string | undefined;
}

/** The part of the page that its address keeps. What makes no sense falls back to everything. */
export function parseDeliveryQuery(params: Params): DeliveryQuery {
  return {
    state: choiceParam(params, 'state', DELIVERY_VIEWS) ?? 'all',
    since: choiceParam(params, 'since', sinceKeys),
    delivery: textParam(params, 'delivery'),
    cursor: textParam(params, 'cursor'),
  };
}

/** The address with `change`: another view starts at its first page, with nothing open. */
export function deliveryHref(
  base: string,
  query: DeliveryQuery,
  change: Partial<DeliveryQuery>,
): string {
  const { state, since, delivery, cursor } = { ...query, ...change };
  const search = new URLSearchParams();
  if (state !== 'all') search.set('state', state);
  if (since) search.set('since', since);
  if (cursor) search.set('cursor', cursor);
  if (delivery) search.set('delivery', delivery);
  return search.size > 0 ? `${base}?${search}` : base;
}

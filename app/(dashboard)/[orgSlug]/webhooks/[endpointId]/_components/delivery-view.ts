import { choiceParam, type Params, textParam } from '@/app/_components/lists/list-params';
import type { DeliveryStatus } from '@/lib/deliveries/outbox/schema';

export const DELIVERY_VIEWS = ['all', 'failed', 'delivered'] as const;
export type DeliveryView = (typeof DELIVERY_VIEWS)[number];

/** What each view lists. */
export const STATUSES_OF: Record<DeliveryView, readonly DeliveryStatus[] | undefined> = {
  all: undefined,
  failed: ['retrying', 'exhausted', 'refused'],
  delivered: ['delivered'],
};

/** Hours that the list may go back; without a choice it goes back to the first delivery. */
export const SINCE_HOURS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const;
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

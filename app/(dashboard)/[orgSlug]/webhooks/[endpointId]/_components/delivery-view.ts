import { z } from 'zod';
import type { DeliveryStatus } from '@/lib/webhooks/deliveries/schema';

export const DELIVERY_VIEWS = ['all', 'failed', 'delivered'] as const;
export type DeliveryView = (typeof DELIVERY_VIEWS)[number];

/** What each view lists. */
export const STATUSES_OF: Record<DeliveryView, readonly DeliveryStatus[] | undefined> = {
  all: undefined,
  failed: ['retrying', 'exhausted', 'refused'],
  delivered: ['delivered'],
};

const querySchema = z.object({
  state: z.enum(DELIVERY_VIEWS).catch('all'),
  delivery: z.string().optional().catch(undefined),
  cursor: z.string().optional().catch(undefined),
});

export interface DeliveryQuery {
  state: DeliveryView;
  /** `dlv_…` of the one that is open. */
  delivery?: string | undefined;
  cursor?: string | undefined;
}

/** The part of the page that its address keeps. What makes no sense falls back to everything. */
export function parseDeliveryQuery(params: Record<string, unknown>): DeliveryQuery {
  return querySchema.parse(params);
}

/** The address with `change`: another view starts at its first page, with nothing open. */
export function deliveryHref(
  base: string,
  query: DeliveryQuery,
  change: Partial<DeliveryQuery>,
): string {
  const { state, delivery, cursor } = { ...query, ...change };
  const search = new URLSearchParams();
  if (state !== 'all') search.set('state', state);
  if (cursor) search.set('cursor', cursor);
  if (delivery) search.set('delivery', delivery);
  return search.size > 0 ? `${base}?${search}` : base;
}

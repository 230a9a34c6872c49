import type { WebhookEventType } from '@/lib/webhooks/schema';

interface EventWords {
  type: WebhookEventType;
  /** When it is sent. */
  hint: string;
}

/** The events that chains send today, in the order in which they are offered. */
export const OFFERED_EVENTS: readonly EventWords[] = [
  {
    type: 'chain.completed',
    hint: 'Every chain that ends: outcome, sessions, cost, services affected.',
  },
  {
    type: 'chain.needs_human',
    hint: 'The same summary, only when a chain ends and somebody has to look.',
  },
];

/** What the form lists: the offered ones, and whatever the endpoint has been subscribed to by API. */
export function eventChoices(
  subscribed: readonly string[],
): { type: string; hint: string | null }[] {
  const offered = OFFERED_EVENTS.map((event) => event.type as string);
  const others = subscribed.filter((type) => !offered.includes(type));
  return [...OFFERED_EVENTS, ...others.map((type) => ({ type, hint: null }))];
}

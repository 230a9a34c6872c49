import type { WebhookEventType } from '@/lib/deliveries/schema';

interface EventWords {
  type: WebhookEventType;
  /** When it is sent. */
  hint: string;
}

/** Every event, in the order in which they are offered. */
export const OFFERED_EVENTS: readonly EventWords[] = [
  {
    type: 'chain.completed',
    hint: 'Every chain that ends: outcome, sessions, cost, services affected.',
  },
  {
    type: 'chain.needs_human',
    hint: 'The same summary, only when a chain ends and somebody has to look.',
  },
  { type: 'chain.started', hint: 'A chain’s first session starts.' },
  { type: 'chain.escalated', hint: 'A tier hands up to the next one.' },
  { type: 'session.completed', hint: 'One tier’s turn ends: mechanism, cost, turns.' },
  { type: 'budget.warning', hint: 'A chain, day or month has used 80% of its budget.' },
  { type: 'budget.reached', hint: 'A budget is used up, so nothing further starts on it.' },
  { type: 'runner.offline', hint: 'A runner has stopped answering.' },
];

/** What the form lists: the offered ones, and whatever the endpoint has been subscribed to by API. */
export function eventChoices(
  subscribed: readonly string[],
): { type: string; hint: string | null }[] {
  const offered = OFFERED_EVENTS.map((event) => event.type as string);
  const others = subscribed.filter((type) => !offered.includes(type));
  return [...OFFERED_EVENTS, ...others.map((type) => ({ type, hint: null }))];
}

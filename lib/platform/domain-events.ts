/**
 * Lets a module notify later ones without importing them: in the transaction in which the event
 * happens, so that what a subscriber writes is committed with it or not at all.
 *
 * A process subscribes once, at its start. An event that nobody subscribes to is a mistake in the
 * start of that process, so publishing it fails instead of losing a message.
 */

import type { TenantScope } from './db/scope';
import type { TenantDb } from './db/tenant-db';
import type { PendingJob } from './queue/enqueue';

/** An event's name in the past tense, such as `chain.ended`, and what it carries. */
export interface DomainEvent<Payload> {
  readonly name: string;
  /** For the compiler only. */
  readonly payload?: Payload;
}

export type PayloadOf<Event> = Event extends DomainEvent<infer Payload> ? Payload : never;

/** @returns jobs to enqueue once the transaction is committed */
type DomainEventHandler<Payload> = (
  db: TenantDb,
  scope: TenantScope,
  payload: Payload,
  now: Date,
) => Promise<PendingJob[]>;

// Next bundles the start of a process apart from its routes, so the list can't be a module's own.
const shared = globalThis as unknown as {
  tierwatchSubscribers?: Map<string, Map<string, DomainEventHandler<never>>>;
};

/** @param name in the past tense: `chain.ended` */
export function domainEvent<Payload>(name: string): DomainEvent<Payload> {
  return { name };
}

/**
 * Calls `handler` at every such event from now on.
 *
 * @param subscriber the module that subscribes; subscribing again replaces its handler
 */
export function subscribe<Payload>(
  event: DomainEvent<Payload>,
  subscriber: string,
  handler: DomainEventHandler<Payload>,
): void {
  shared.tierwatchSubscribers ??= new Map();
  const handlers = shared.tierwatchSubscribers.get(event.name) ?? new Map();
  handlers.set(subscriber, handler);
  shared.tierwatchSubscribers.set(event.name, handlers);
}

/**
 * Tells the subscribers of an event, one after the other, inside of the caller's transaction.
 *
 * @returns jobs to enqueue once that transaction is committed
 * @throws Error where the process has no subscriber for the event
 */
export async function publish<Payload>(
  db: TenantDb,
  scope: TenantScope,
  event: DomainEvent<Payload>,
  payload: Payload,
  now: Date,
): Promise<PendingJob[]> {
  const handlers = shared.tierwatchSubscribers?.get(event.name);
  if (!handlers) {
    throw new Error(`Nothing subscribes to ${event.name}. Subscribe when the process starts.`);
  }
  const jobs: PendingJob[] = [];
  for (const handler of handlers.values() as Iterable<DomainEventHandler<Payload>>) {
    jobs.push(...(await handler(db, scope, payload, now)));
  }
  return jobs;
}

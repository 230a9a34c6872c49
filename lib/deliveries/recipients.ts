import { alertOf } from './alert-of-event';
import type { WebhookEvent } from './schema';

/**
 * Returns whether an endpoint or channel receives events of a project. A recipient of the whole
 * organization receives those of every project, and events of the organization go to every
 * recipient.
 *
 * @param recipientProjectId UUID; null: the whole organization
 * @param projectId UUID; null: the event is about the organization
 */
export function isFor(recipientProjectId: string | null, projectId: string | null): boolean {
  return recipientProjectId === null || projectId === null || recipientProjectId === projectId;
}

export interface ChannelRoutes {
  /** UUID; null: every project. */
  projectId: string | null;
  outcomes: readonly string[];
  eventTypes: readonly string[];
  /** It receives alerts and no plain notices. */
  alertsOnly: boolean;
}

/** What concerns everyone who is notified when a chain needs a human. */
const IMPLIED: readonly WebhookEvent['type'][] = [
  'approval.requested',
  'incident.opened',
  'incident.needs_human',
  'incident.resolved',
  'incident.reopened',
];

/**
 * Returns whether a channel is subscribed to an event. Requests for approval and incidents also go to
 * channels of chains that need a human. The end of a chain is one message, by its
 * outcome; `chain.needs_human`, which is sent too, would be a second message about the same end. A merge
 * only goes to on-call services that keep an alert, which it closes.
 *
 * @param projectId UUID of the event's project; null if it is about the organization
 */
export function isSubscribed(
  channel: ChannelRoutes,
  event: WebhookEvent,
  projectId: string | null,
): boolean {
  if (!isFor(channel.projectId, projectId)) return false;
  if (channel.alertsOnly && alertOf(event) === null) return false;
  if (event.type === 'incident.merged') {
    return channel.alertsOnly && receives(channel, 'incident.resolved');
  }
  if (event.type === 'chain.completed') return channel.outcomes.includes(event.data.chain.outcome);
  // Whoever is notified of a verification learns that it failed.
  if (event.type === 'incident.verification_failed') return receives(channel, 'incident.verifying');
  return receives(channel, event.type);
}

/** Returns whether a channel is subscribed to events of a type other than the end of a chain. */
export function receives(
  { outcomes, eventTypes }: Pick<ChannelRoutes, 'outcomes' | 'eventTypes'>,
  type: WebhookEvent['type'],
): boolean {
  return (IMPLIED.includes(type) && outcomes.includes('needs_human')) || eventTypes.includes(type);
}

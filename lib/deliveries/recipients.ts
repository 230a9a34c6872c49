import type { WebhookEvent } from './schema';

/**
 * Whether an endpoint or channel is for what happens in a project. One of the whole organization is
 * for every project, and what is about the organization is for everyone.
 *
 * Both are UUIDs of projects; null: the organization.
 */
export function isFor(recipientProjectId: string | null, projectId: string | null): boolean {
  return recipientProjectId === null || projectId === null || recipientProjectId === projectId;
}

export interface ChannelRoutes {
  /** UUID; null: every project. */
  projectId: string | null;
  outcomes: readonly string[];
  eventTypes: readonly string[];
}

/**
 * Whether a channel hears of an event. A chain's end is one message, by its outcome:
 * `chain.needs_human`, which goes out beside it, would be a second one about the same.
 * @param projectId UUID of the project it is about; null when it is about the organization
 */
export function hears(
  channel: ChannelRoutes,
  event: WebhookEvent,
  projectId: string | null,
): boolean {
  if (!isFor(channel.projectId, projectId)) return false;
  if (event.type === 'chain.completed') return channel.outcomes.includes(event.data.chain.outcome);
  return channel.eventTypes.includes(event.type);
}

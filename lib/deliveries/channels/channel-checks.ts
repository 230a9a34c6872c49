/** What a channel must be to be saved. Every refusal is an InvalidError that names its field. */

import { env } from '@/lib/platform/env';
import { InvalidError } from '@/lib/platform/errors';
import type { ChannelRow } from './data';
import { ALERT_SUBSCRIPTIONS } from './form';
import { type ChannelSettings, channelKindOf } from './registry';

/**
 * Refuses a channel that the installation can't send to, when it is saved and not at its first
 * message.
 */
export function requireWayOut(settings: ChannelSettings): void {
  const problem = channelKindOf(settings.kind).problem?.(settings, env());
  if (!problem) return;
  throw new InvalidError(problem.message, { [`settings.${problem.field}`]: problem.message });
}

/** Refuses a name that another channel has. */
export function requireNewName(
  others: readonly ChannelRow[],
  name: string,
  ownId: string | null,
): void {
  if (!others.some((other) => other.name === name && other.id !== ownId)) return;
  const message = 'This name is used by another channel. Pick a different one.';
  throw new InvalidError(message, { name: message });
}

/** Refuses a channel that is subscribed to nothing. */
export function requireSubscription(channel: { outcomes: unknown[]; eventTypes: unknown[] }): void {
  if (channel.outcomes.length + channel.eventTypes.length > 0) return;
  throw new InvalidError('Choose at least one.', { outcomes: 'Choose at least one.' });
}

/** Refuses subscriptions that would never send anything to this target. */
export function requireReceivable(channel: {
  alertsOnly: boolean;
  outcomes: readonly string[];
  eventTypes: readonly string[];
}): void {
  const chosen = [...channel.outcomes, ...channel.eventTypes];
  const useless = chosen.filter((each) => !ALERT_SUBSCRIPTIONS.includes(each));
  if (!channel.alertsOnly || useless.length === 0) return;
  const message = `This channel receives alerts only: ${ALERT_SUBSCRIPTIONS.join(', ')}. It can’t receive ${useless.join(', ')}. Leave those out, or add another channel for them.`;
  throw new InvalidError(message, { outcomes: message });
}

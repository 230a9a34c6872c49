/** What a channel must be to be saved. Every refusal is an InvalidError that names its field. */
import { z } from 'zod';
import { env } from '@/lib/platform/env';
import { InvalidError } from '@/lib/platform/errors';
import { ALERT_SUBSCRIPTIONS, CHANNEL_KIND_NAMES, CHANNEL_KINDS } from '../targets/kinds';
import { isOperatorsServer, operatorsRefusal } from './apprise-targets';
import type { ChannelRow } from './data';
import type { ChannelSettings } from './settings-schema';

/**
 * Refuses a channel that the installation can't send to, when it is saved and not at its first
 * message.
 */
export function requireWayOut(settings: ChannelSettings): void {
  const { smtpUrl, appriseUrl, allowPrivateTargets } = env();
  if (settings.kind === 'email' && !smtpUrl) {
    const message =
      'This installation can’t send e-mail because SMTP_URL is not set. Ask its operator to set it.';
    throw new InvalidError(message, { 'settings.addresses': message });
  }
  if (settings.kind !== 'apprise') return;
  const serverUrl = settings.serverUrl ?? appriseUrl;
  if (!serverUrl) {
    const message = 'This installation has no default Apprise server. Enter the URL of one.';
    throw new InvalidError(message, { 'settings.serverUrl': message });
  }
  const rules = { allowPrivate: allowPrivateTargets };
  const refusal = isOperatorsServer(serverUrl, appriseUrl) && operatorsRefusal(settings, rules);
  if (refusal) {
    throw new InvalidError(refusal.message, { [`settings.${refusal.field}`]: refusal.message });
  }
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
  kind: string;
  alertsOnly: boolean;
  outcomes: readonly string[];
  eventTypes: readonly string[];
}): void {
  const chosen = [...channel.outcomes, ...channel.eventTypes];
  const useless = chosen.filter((each) => !ALERT_SUBSCRIPTIONS.includes(each));
  if (!channel.alertsOnly || useless.length === 0) return;
  const name = CHANNEL_KIND_NAMES[z.enum(CHANNEL_KINDS).parse(channel.kind)];
  const kind = channel.kind === 'oncall_webhook' ? 'A webhook with Events v2 JSON' : name;
  const message = `${kind} receives alerts only: ${ALERT_SUBSCRIPTIONS.join(', ')}. It can’t receive ${useless.join(', ')}. Leave those out, or add another channel for them.`;
  throw new InvalidError(message, { outcomes: message });
}

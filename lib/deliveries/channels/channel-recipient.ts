import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { cutText } from '@/lib/platform/format/text';
import { encodeId } from '@/lib/platform/ids';
import { messageSchema } from '../message';
import { cancelOpenDeliveries, type DeliveryRecord } from '../outbox/data';
import { maskAnswer } from '../outbox/mask-answer';
import type { RecipientStep } from '../outbox/retry-policy';
import type { Prepared, SendResult, Transport } from '../outbox/transport';
import { PAGED_EVENT } from '../paged-event';
import { reportToAdmins } from '../report-to-admins';
import { findIncidentState, hasLaterMessage, incidentOf, isUnknownOutage } from './admission-data';
import { signFor } from './channel-secret';
import {
  type ChannelRow,
  disableChannel,
  getChannelRow,
  listUsersOfChannel,
  openSettings,
  quietHoursOf,
  updateChannelRow,
} from './data';
import type { Senders } from './kind';
import { admitMessage, isEndOfIncident, quietUntil } from './quiet-hours';
import { channelKindOf, isAlertsOnly } from './registry';
import type { ChannelDisabledReason } from './schema';

/** Sends to notification channels of every kind. */
export function channelTransport(using: Senders): Transport {
  return {
    async prepare(db, delivery, now) {
      const channel = await getChannelRow(db, delivery.channelId ?? '');
      if (channel.disabledAt) return { kind: 'cancelled' };
      const instead = await admit(db, channel, delivery, now);
      return instead ?? prepareFor(channel, using, delivery, now);
    },
    recipientState: (db, delivery) => getChannelRow(db, delivery.channelId ?? ''),
    applyStep: async (db, scope, delivery, step, result, now) => {
      const channel = await getChannelRow(db, delivery.channelId ?? '');
      return applyChannelStep(db, scope, channel, delivery.chainId, step, result, now);
    },
  };
}

/**
 * Returns what happens to a delivery instead of being sent now, by the rows of the claim's
 * transaction; null: it is sent.
 */
async function admit(
  db: TenantDb,
  channel: ChannelRow,
  delivery: DeliveryRecord,
  now: Date,
): Promise<Extract<Prepared, { kind: 'cancelled' | 'held' }> | null> {
  const { eventType } = delivery;
  const quiet = quietHoursOf(channel);
  const wasHeld = delivery.heldAt !== null;
  const isEnd = isEndOfIncident(eventType);
  if (!quiet && !wasHeld && !isEnd && eventType !== PAGED_EVENT) return null;
  const until = quietUntil(quiet, now);
  const isOfQuietHours = quietUntil(quiet, delivery.createdAt) !== null;
  const incidentId = incidentOf(delivery);
  const incident = incidentId ? await findIncidentState(db, incidentId) : null;
  const { tone, alert } = messageSchema.parse(JSON.parse(delivery.body));
  const admission = admitMessage(
    {
      ...{ eventType, tone, alert: alert ?? null, alertsOnly: channel.alertsOnly },
      ...{ wasHeld, isOfQuietHours },
      incident,
      isSilenced: incident !== null && incident.silencedBy !== null,
      hasLater: (wasHeld || isOfQuietHours) && (await hasLaterMessage(db, delivery)),
      isUnknownOutage: isEnd && (await isUnknownOutage(db, delivery)),
    },
    until,
  );
  if (admission.kind === 'send') return null;
  if (admission.kind === 'cancel') return { kind: 'cancelled' };
  return { kind: 'held', until: admission.until, incidentId };
}

/** Prepares a stored message for its target. Nothing it logs or returns contains a secret. */
function prepareFor(
  channel: ChannelRow,
  using: Senders,
  delivery: DeliveryRecord,
  now: Date,
): Prepared {
  const settings = openSettings(channel);
  if (!settings) {
    return unusable(
      'secret_unreadable',
      'The channel’s settings can’t be decrypted with this installation’s key. Enter them again.',
    );
  }
  const kind = channelKindOf(settings.kind);
  const problem = kind.problem?.(settings, env());
  if (problem) return unusable(problem.error, problem.message);
  const message = messageSchema.parse(JSON.parse(delivery.body));
  if (isAlertsOnly(settings) && !message.alert) {
    return unusable(
      'no_alert',
      'This channel receives alerts only, and the message is a notice. Add a Slack or e-mail channel for notices.',
    );
  }
  const sign = (body: string) => signFor(settings, delivery, body, now);
  const outgoing = {
    ...{ using, installation: env(), delivery, message },
    ...{ channelName: channel.name, sign },
  };
  const prepared = kind.prepare(outgoing, settings);
  if (prepared.kind !== 'ready') return prepared;
  const secrets = kind.secrets(settings);
  return { ...prepared, send: async () => maskAnswer(await prepared.send(), secrets) };
}

function unusable(error: string, text: string): Prepared {
  return { kind: 'unusable', error, text };
}

/**
 * Applies the result of an attempt to its channel. A disabled channel receives nothing more, and
 * the admins are notified.
 *
 * @returns ids of the deliveries that notify them
 */
async function applyChannelStep(
  db: TenantDb,
  scope: TenantScope,
  channel: ChannelRow,
  chainId: string | null,
  step: RecipientStep,
  result: SendResult,
  now: Date,
): Promise<string[]> {
  if (step.kind !== 'disable') {
    const failingSince = step.kind === 'failing' ? step.since : null;
    const isNews = (failingSince === null) !== (channel.failingSince === null);
    if (isNews) await updateChannelRow(db, channel.id, { failingSince });
    return [];
  }
  const reason: ChannelDisabledReason = step.reason === 'gone' ? 'rejected' : step.reason;
  if (!(await disableChannel(db, channel.id, reason, now))) return [];
  await cancelOpenDeliveries(db, { channelId: channel.id });
  const id = encodeId('ntc', channel.id);
  const policies = await listUsersOfChannel(db, id);
  const message = disabledMessage(channel.name, reason, result, policies);
  const notified = await reportToAdmins(
    db,
    {
      code: 'CHANNEL_DISABLED',
      title: `Notification channel ${channel.name} is disabled`,
      message,
      projectId: channel.projectId,
      chainId,
      linkOf: (slug) => ({
        url: `${env().publicUrl}/${slug}/settings/notifications`,
        label: 'Open the channels',
      }),
      occasion: `channel.disabled:${channel.id}:${now.getTime()}`,
    },
    now,
  );
  await recordAudit(db, scope, {
    action: 'notification_channel.disabled',
    target: id,
    detail: { reason, message },
  });
  return notified;
}

/** What happened, why, and what to do. The result's text contains no secrets. */
function disabledMessage(
  name: string,
  reason: ChannelDisabledReason,
  result: SendResult,
  policies: readonly string[],
): string {
  const why =
    reason === 'rejected'
      ? `The target of notification channel ${name} refuses every message. ${cutText(result.text.trim(), MAX_REASON_CHARS) || `It responded ${result.status}.`}`
      : `Notification channel ${name} has failed for five days.`;
  const lost =
    policies.length > 0 ? ` Paging policies that notify it: ${policies.join(', ')}.` : '';
  return `${why} Its messages have stopped.${lost} Fix it, then switch it on again.`;
}

/** Enough for an error body, and no whole page in an e-mail. */
const MAX_REASON_CHARS = 300;

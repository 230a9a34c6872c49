import type { DeliveryRecord } from '@/lib/deliveries/webhooks/deliveries/data';
import type { Prepared, Transport } from '@/lib/deliveries/webhooks/deliveries/transport';
import { SecretBoxError } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';
import { appriseRequest } from '../apprise/request';
import { appriseSendResult } from '../apprise/result';
import { type ChannelRow, getChannelRow } from '../channels/data';
import type { ChannelSettings } from '../channels/schema';
import { openSettings } from '../channels/sealed-settings';
import { mailSending } from '../mail';
import { messageSchema } from '../message';
import { applyChannelStep } from './channel-step';
import type { Senders } from './deliver';

/** Sends to notification channels: by e-mail, or through an Apprise API server. */
export function channelTransport(using: Senders): Transport {
  return {
    async prepare(db, delivery) {
      const channel = await getChannelRow(db, delivery.channelId ?? '');
      if (channel.disabledAt) return { kind: 'cancelled' };
      const settings = settingsOf(channel);
      if (!settings) {
        return {
          kind: 'unusable',
          error: 'secret_unreadable',
          text: 'The settings of the channel do not open with the key of this installation. Enter them again.',
        };
      }
      return settings.kind === 'email'
        ? mailSending(using.mailer, delivery, settings.addresses, footerOf(channel))
        : appriseSending(using, delivery, settings);
    },
    recipientState: (db, delivery) => getChannelRow(db, delivery.channelId ?? ''),
    applyStep: async (db, scope, delivery, step, now) => {
      const channel = await getChannelRow(db, delivery.channelId ?? '');
      return applyChannelStep(db, scope, channel, delivery.chainId, step, now);
    },
  };
}

function appriseSending(
  using: Senders,
  delivery: DeliveryRecord,
  settings: Extract<ChannelSettings, { kind: 'apprise' }>,
): Prepared {
  const serverUrl = settings.serverUrl ?? env().appriseUrl;
  if (!serverUrl) {
    return {
      kind: 'unusable',
      error: 'no_apprise_server',
      text: 'The channel names no Apprise server and this installation has none. Enter one.',
    };
  }
  const client = settings.serverUrl ? using.http : using.trustedHttp;
  const message = messageSchema.parse(JSON.parse(delivery.body));
  const request = appriseRequest(serverUrl, settings, message);
  return {
    kind: 'ready',
    headers: request.headers,
    send: async () => appriseSendResult(await client.request(request)),
  };
}

/** Null when they were sealed with another key. */
function settingsOf(channel: ChannelRow): ChannelSettings | null {
  try {
    return openSettings(channel.settingsSealed, channel.id);
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

function footerOf({ name }: ChannelRow): string {
  return `You get this through the notification channel ${name}. Its settings are under ${env().publicUrl}, Settings, Notifications.`;
}

import { recordAudit } from '@/lib/identity/audit/record-audit';
import { SecretBoxError } from '@/lib/platform/crypto/secret-box';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { cutText } from '@/lib/platform/format/text';
import { encodeId } from '@/lib/platform/ids';
import type { Mailer } from '@/lib/platform/mail';
import type { OutboundClient, OutboundRequest } from '@/lib/platform/outbound-http/client';
import { resolveAllowed, resolveBySystem } from '@/lib/platform/outbound-http/connector';
import { RefusedAddressError } from '@/lib/platform/outbound-http/failure';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import type { TargetRules } from '@/lib/platform/outbound-http/target-policy';
import { mailSending } from '../mail';
import { type Message, messageSchema } from '../message';
import { cancelOpenDeliveries, type DeliveryRecord } from '../outbox/data';
import {
  ATTEMPT_TIMEOUT_MS,
  RESPONSE_EXCERPT_BYTES,
  type RecipientStep,
} from '../outbox/retry-policy';
import {
  httpSendResult,
  type Prepared,
  type SendResult,
  type Transport,
} from '../outbox/transport';
import { reportToAdmins } from '../report-to-admins';
import { admit } from './admission';
import { checkAppriseTarget, isOperatorsServer, operatorsRefusal } from './apprise-targets';
import {
  type ChannelRow,
  disableChannel,
  getChannelRow,
  listUsersOfChannel,
  openSettings,
  updateChannelRow,
} from './data';
import { nativeSending } from './native-sending';
import type { ChannelDisabledReason } from './schema';
import type { StoredSettings } from './settings-schema';

/** Sends to notification channels of every kind. */
export function channelTransport(using: Senders): Transport {
  return {
    async prepare(db, delivery, now) {
      const channel = await getChannelRow(db, delivery.channelId ?? '');
      if (channel.disabledAt) return { kind: 'cancelled' };
      const instead = await admit(db, channel, delivery, now);
      if (instead) return instead;
      const settings = settingsOf(channel);
      if (!settings) {
        return {
          kind: 'unusable',
          error: 'secret_unreadable',
          text: 'The channel’s settings can’t be decrypted with this installation’s key. Enter them again.',
        };
      }
      switch (settings.kind) {
        case 'email':
          return mailSending(using.mailer, delivery, settings.addresses, footerOf(channel));
        case 'apprise':
          return appriseSending(using, delivery, settings);
        default:
          return nativeSending(using.http, delivery, settings, now);
      }
    },
    recipientState: (db, delivery) => getChannelRow(db, delivery.channelId ?? ''),
    applyStep: async (db, scope, delivery, step, result, now) => {
      const channel = await getChannelRow(db, delivery.channelId ?? '');
      return applyChannelStep(db, scope, channel, delivery.chainId, step, result, now);
    },
  };
}

function appriseSending(
  using: Senders,
  delivery: DeliveryRecord,
  settings: AppriseSettings,
): Prepared {
  const serverUrl = settings.serverUrl ?? env().appriseUrl;
  if (!serverUrl) {
    return {
      kind: 'unusable',
      error: 'no_apprise_server',
      text: 'The channel has no Apprise server, and this installation has no default one. Enter one.',
    };
  }
  const isOperators = isOperatorsServer(serverUrl, env().appriseUrl);
  const rules = { allowPrivate: env().allowPrivateTargets };
  const refusal = isOperators ? operatorsRefusal(settings, rules) : null;
  if (refusal) return { kind: 'unusable', error: 'target_not_allowed', text: refusal.message };
  const client = settings.serverUrl ? using.http : using.trustedHttp;
  const message = messageSchema.parse(JSON.parse(delivery.body));
  const request = appriseRequest(serverUrl, settings, message);
  return {
    kind: 'ready',
    headers: request.headers,
    send: async () => {
      const refused = isOperators ? await unresolvedTarget(settings.urls, rules) : null;
      if (refused) return refused;
      const sent = appriseSendResult(await client.request(request));
      return isOperators ? withoutOperatorsNetwork(sent) : sent;
    },
  };
}

/** Returns the decrypted settings; null if they were encrypted with another key. */
function settingsOf(channel: ChannelRow): StoredSettings | null {
  try {
    return openSettings(channel.settingsSealed, channel.id);
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

function footerOf({ name }: ChannelRow): string {
  return `You received this message through the notification channel ${name}. To change the channel, open ${env().publicUrl} and go to Organization settings, Notifications.`;
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
  const { organizationId } = scope;
  const id = encodeId('ntc', channel.id);
  const policies = await listUsersOfChannel(db, organizationId, id);
  const message = disabledMessage(channel.name, reason, result, policies);
  const told = await reportToAdmins(
    db,
    organizationId,
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
  return told;
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

export interface Senders {
  /** For addresses that users entered. */
  http: OutboundClient;
  /** For the operator's own Apprise server, which may be in a private network. */
  trustedHttp: OutboundClient;
  /** Null if the installation sends no e-mail. */
  mailer: Mailer | null;
}

type AppriseSettings = Extract<StoredSettings, { kind: 'apprise' }>;

/**
 * Returns the request to an Apprise API server: POST /notify with the URLs of the services, or POST
 * /notify/{key} for a configuration that the server stores. See
 * https://github.com/caronc/apprise-api.
 */
function appriseRequest(
  serverUrl: string,
  settings: AppriseSettings,
  message: Message,
): OutboundRequest {
  const { urls, configKey, tags } = settings;
  const body = {
    ...(configKey ? {} : { urls: urls.join(', ') }),
    ...(tags ? { tag: tags } : {}),
    title: message.title,
    body: [...message.lines, ...(message.link ? [message.link.url] : [])].join('\n\n'),
    type: message.tone,
    format: 'text',
  };
  return {
    url: notifyUrl(serverUrl, configKey),
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'Tierwatch-Notifications/1',
    },
    body: JSON.stringify(body),
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    maxResponseBytes: RESPONSE_EXCERPT_BYTES,
  };
}

/** Returns the URL below the server's own path, with or without a trailing slash. */
function notifyUrl(serverUrl: string, configKey: string | null): string {
  const url = new URL(serverUrl);
  const base = url.pathname.replace(/\/+$/, '').replace(/\/notify$/, '');
  url.pathname = `${base}/notify${configKey ? `/${configKey}` : ''}`;
  return url.toString();
}

/** Returns the failure of a target whose host may not be called; null if there is none. */
async function unresolvedTarget(
  urls: readonly string[],
  rules: TargetRules,
): Promise<SendResult | null> {
  const targets = urls.map((url) => checkAppriseTarget(url, rules));
  const hosts = targets.flatMap((target) => (target.ok && target.host ? [target.host] : []));
  try {
    for (const host of hosts) await resolveAllowed(host, resolveBySystem, rules);
    return null;
  } catch (error) {
    if (!(error instanceof RefusedAddressError)) throw error;
    const { reason, message } = error.refusal;
    return httpSendResult({
      ...{ ok: false, reason, message, isPermanent: false },
      ...{ status: null, durationMs: 0, address: null },
    });
  }
}

/**
 * Leaves out what the operator's own server says: its names and addresses are not the tenant's to
 * know, and it may repeat those of others.
 */
function withoutOperatorsNetwork(sent: SendResult): SendResult {
  if (sent.isTaken) return { ...sent, text: '', responseHeaders: {} };
  const why = sent.error?.replaceAll('_', ' ') ?? `it responded ${sent.status}`;
  const text = `This installation’s Apprise server did not send the message: ${why}. If the channel’s URLs are right, ask the operator to look at that server.`;
  return { ...sent, text, responseHeaders: {} };
}

/**
 * Interprets the answer of an Apprise API server. 204 means that a key or tag matched nothing, so
 * nobody was notified; 424 that at least one service failed.
 */
function appriseSendResult(result: OutboundResult): SendResult {
  const sent = { ...httpSendResult(result), isGone: false };
  if (!result.ok) return sent;
  if (result.status === 204) {
    return {
      ...sent,
      isTaken: false,
      error: 'nobody_notified',
      text: 'The Apprise server notified nobody: no configuration or service matches the key and tags.',
    };
  }
  if (result.status === 424) {
    const details = result.bodyText ? ` Its response: ${result.bodyText}` : '';
    return {
      ...sent,
      error: 'service_failed',
      text: `The Apprise server could not reach every service behind it.${details}`,
    };
  }
  return sent;
}

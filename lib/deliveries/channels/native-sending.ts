/** Sends to the targets whose own API this product speaks: Slack, PagerDuty, Opsgenie, webhooks. */
import { encodeId } from '@/lib/platform/ids';
import type { OutboundClient, OutboundRequest } from '@/lib/platform/outbound-http/client';
import { activeSecrets, signWebhook } from '../endpoints/signing';
import { type Message, messageSchema } from '../message';
import type { DeliveryRecord } from '../outbox/data';
import { maskAnswer, secretsOfUrl } from '../outbox/mask-answer';
import { ATTEMPT_TIMEOUT_MS, RESPONSE_EXCERPT_BYTES } from '../outbox/retry-policy';
import { httpSendResult, type Prepared, type SendResult } from '../outbox/transport';
import { MASK } from '../schema';
import { OPSGENIE_URLS, PAGERDUTY_URL } from '../targets/kinds';
import { oncallBody } from '../targets/oncall-webhook';
import { opsgenieRequest, opsgenieResult } from '../targets/opsgenie';
import { pagerdutyEvent, pagerdutyResult } from '../targets/pagerduty';
import { slackMessage, slackPlainMessage, slackResult } from '../targets/slack';
import { isAlertsOnly, type StoredSettings } from './settings-schema';

type SettingsOf<Kind extends StoredSettings['kind']> = Extract<StoredSettings, { kind: Kind }>;
type NativeSettings = SettingsOf<'slack' | 'pagerduty' | 'opsgenie' | 'oncall_webhook'>;

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'Tierwatch-Notifications/1',
};

/** Prepares a stored message for its target. Nothing it logs or returns contains a secret. */
export function nativeSending(
  client: OutboundClient,
  delivery: DeliveryRecord,
  settings: NativeSettings,
  now: Date,
): Prepared {
  const message = messageSchema.parse(JSON.parse(delivery.body));
  if (isAlertsOnly(settings) && !message.alert) {
    return {
      kind: 'unusable',
      error: 'no_alert',
      text: 'This channel receives alerts only, and the message is a notice. Add a Slack or e-mail channel for notices.',
    };
  }
  switch (settings.kind) {
    case 'slack':
      return slackSending(client, message, settings);
    case 'pagerduty':
      return pagerdutySending(client, message, settings, delivery.createdAt);
    case 'opsgenie':
      return opsgenieSending(client, message, settings);
    case 'oncall_webhook':
      return oncallSending(client, message, settings, delivery, now);
  }
}

/** A webhook that refuses the blocks gets the same message once as text. */
function slackSending(
  client: OutboundClient,
  message: Message,
  { url }: SettingsOf<'slack'>,
): Prepared {
  const post = async (body: object) => slackResult(await client.request(posted(url, body)));
  const send = async (): Promise<SendResult> => {
    const blocks = await post(slackMessage(message));
    if (blocks.status !== 400) return blocks;
    const plain = await post(slackPlainMessage(message));
    const durationMs = blocks.durationMs + plain.durationMs;
    if (!plain.isTaken) return { ...plain, durationMs };
    const text = `Sent as plain text, since the formatted message was refused. ${blocks.text}`;
    return { ...plain, durationMs, text };
  };
  return ready(HEADERS, send, secretsOfUrl(url));
}

function pagerdutySending(
  client: OutboundClient,
  { alert }: Message,
  { routingKey, baseUrl }: SettingsOf<'pagerduty'>,
  createdAt: Date,
): Prepared {
  const event = alert && pagerdutyEvent(alert, { routingKey, at: createdAt.toISOString() });
  const request = posted(`${baseUrl ?? PAGERDUTY_URL}/v2/enqueue`, event ?? {});
  return ready(HEADERS, async () => pagerdutyResult(await client.request(request)), [
    routingKey,
    ...secretsOfUrl(request.url),
  ]);
}

function opsgenieSending(
  client: OutboundClient,
  { alert }: Message,
  { product, apiKey, baseUrl }: SettingsOf<'opsgenie'>,
): Prepared {
  if (!alert) throw new Error('The caller has checked that there is an alert.');
  const { path, body } = opsgenieRequest(alert);
  const authorization = `GenieKey ${apiKey}`;
  const request = posted(`${baseUrl ?? OPSGENIE_URLS[product]}${path}`, body, { authorization });
  const send = async () => opsgenieResult(await client.request(request), alert.status);
  return ready(HEADERS, send, [apiKey]);
}

function oncallSending(
  client: OutboundClient,
  message: Message,
  { url, shape, routingKey, headers, signing }: SettingsOf<'oncall_webhook'>,
  delivery: DeliveryRecord,
  now: Date,
): Prepared {
  const id = encodeId('dlv', delivery.id);
  const occurredAt = delivery.createdAt.toISOString();
  const notification = { id, type: delivery.eventType, occurredAt, message };
  const request = posted(url, oncallBody(notification, { shape, routingKey }));
  const previousUntil = signing.previousUntil === null ? null : new Date(signing.previousUntil);
  const secrets = activeSecrets(
    { current: signing.secret, previous: signing.previous, previousUntil },
    now,
  );
  const signature = signWebhook({ id, sentAt: now, body: request.body, secrets });
  const custom = headers.map(({ name, value }) => [name.toLowerCase(), value] as const);
  const signed = {
    ...request,
    headers: { ...request.headers, ...Object.fromEntries(custom), ...signature },
  };
  const masked = Object.fromEntries(custom.map(([name]) => [name, MASK]));
  return ready(
    { ...request.headers, ...masked, ...signature },
    async () => httpSendResult(await client.request(signed)),
    [
      ...secretsOfUrl(url),
      ...(routingKey === null ? [] : [routingKey]),
      ...headers.flatMap(({ value }) => [value, ...value.split(' ')]),
    ],
  );
}

function posted(url: string, body: object, headers: Record<string, string> = {}) {
  return {
    url,
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: JSON.stringify(body),
    timeoutMs: ATTEMPT_TIMEOUT_MS,
    maxResponseBytes: RESPONSE_EXCERPT_BYTES,
  } satisfies OutboundRequest;
}

function ready(
  headers: Record<string, string>,
  send: () => Promise<SendResult>,
  secrets: readonly string[],
): Prepared {
  return { kind: 'ready', headers, send: async () => maskAnswer(await send(), secrets) };
}

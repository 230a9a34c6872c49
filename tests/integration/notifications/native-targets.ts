/** Channels with an API of their own, whose targets are receivers on loopback. */
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import type { ChannelSettings } from '@/lib/deliveries/channels/registry';
import type { CreateChannelInput } from '@/lib/deliveries/channels/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { signalFixture } from '@/tests/support/signals/alerts';
import type { Answer, ReceivedRequest } from '@/tests/support/webhook-receiver/receiver';

export const ROUTING_KEY = '0123456789abcdef0123456789abcdef';
export const API_KEY = '7a1b2c3d-4e5f-6789-abcd-ef0123456789';
export const BEARER = 'Bearer very-secret-token';

/** What Slack answers, by name. */
export const SLACK: Record<string, Answer> = signalFixture('slack_out_built').responses;

const SETTINGS = {
  slack: (origin) => ({ kind: 'slack', url: `${origin}/services/T0SECRET/B0SECRET/xoxsecret` }),
  pagerduty: (baseUrl) => ({ kind: 'pagerduty', routingKey: ROUTING_KEY, baseUrl }),
  jsm: (origin) => ({
    kind: 'opsgenie',
    product: 'jsm',
    apiKey: API_KEY,
    baseUrl: `${origin}/jsm/ops/integration`,
  }),
  webhook: (origin) => ({
    kind: 'oncall_webhook',
    url: `${origin}/hooks/secret-path`,
    shape: 'tierwatch',
    routingKey: null,
    headers: [
      { name: 'Authorization', value: BEARER },
      { name: 'X-Team-Key', value: 'very-secret-key' },
    ],
  }),
  events: (origin) => ({
    kind: 'oncall_webhook',
    url: `${origin}/hooks/secret-path`,
    shape: 'events_v2',
    routingKey: ROUTING_KEY,
    headers: [],
  }),
} satisfies Record<string, (origin: string) => ChannelSettings>;
export type Target = keyof typeof SETTINGS;
export const TARGETS = Object.keys(SETTINGS) as Target[];

/** What each target answers if all is well. */
export const ACCEPTED: Record<Target, Answer> = {
  slack: { status: 200, body: 'ok' },
  pagerduty: { status: 202, body: '{"status":"success"}' },
  jsm: { status: 202, body: '{"requestId":"1"}' },
  webhook: { status: 204 },
  events: { status: 202 },
};

export function settingsOf(target: Target, receiver: { url: string }): ChannelSettings {
  return SETTINGS[target](new URL(receiver.url).origin);
}

export function addChannel(
  scope: TenantScope,
  target: Target,
  receiver: { url: string },
  changes: Partial<CreateChannelInput> = {},
) {
  return createChannel(scope, {
    name: `On-call ${target}`,
    settings: settingsOf(target, receiver),
    outcomes: ['needs_human'],
    eventTypes: [],
    projectId: null,
    ...changes,
  });
}

export function bodyOf(request: ReceivedRequest | undefined) {
  return JSON.parse(request?.rawBody.toString('utf8') ?? 'null');
}

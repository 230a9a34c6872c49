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

interface Case {
  settings: (origin: string) => ChannelSettings;
  /** What the target answers if all is well. */
  accepted: Answer;
  /** Its secrets, which nobody may read. */
  secrets: RegExp;
}

const CASES = {
  slack: {
    settings: (origin) => ({
      kind: 'slack',
      url: `${origin}/services/T0SECRET/B0SECRET/xoxsecret`,
    }),
    accepted: { status: 200, body: 'ok' },
    secrets: /xoxsecret|T0SECRET/,
  },
  pagerduty: {
    settings: (baseUrl) => ({ kind: 'pagerduty', routingKey: ROUTING_KEY, baseUrl }),
    accepted: { status: 202, body: '{"status":"success"}' },
    secrets: /0123456789abcdef/,
  },
  jsm: {
    settings: (origin) => ({
      ...{ kind: 'opsgenie', product: 'jsm', apiKey: API_KEY },
      baseUrl: `${origin}/jsm/ops/integration`,
    }),
    accepted: { status: 202, body: '{"requestId":"1"}' },
    secrets: /7a1b2c3d|abcd-ef0123456789/,
  },
  webhook: {
    settings: (origin) => ({
      ...{ kind: 'oncall_webhook', url: `${origin}/hooks/secret-path` },
      ...{ shape: 'tierwatch', routingKey: null },
      headers: [
        { name: 'Authorization', value: BEARER },
        { name: 'X-Team-Key', value: 'very-secret-key' },
      ],
    }),
    accepted: { status: 204 },
    secrets: /secret-path|very-secret/,
  },
  events: {
    settings: (origin) => ({
      ...{ kind: 'oncall_webhook', url: `${origin}/hooks/secret-path` },
      ...{ shape: 'events_v2', routingKey: ROUTING_KEY, headers: [] },
    }),
    accepted: { status: 202 },
    secrets: /secret-path|0123456789abcdef/,
  },
} satisfies Record<string, Case>;
export type Target = keyof typeof CASES;
export const TARGETS = Object.keys(CASES) as Target[];

export const acceptedBy = (target: Target): Answer => CASES[target].accepted;
export const secretsOf = (target: Target): RegExp => CASES[target].secrets;

export function settingsOf(target: Target, receiver: { url: string }): ChannelSettings {
  return CASES[target].settings(new URL(receiver.url).origin);
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

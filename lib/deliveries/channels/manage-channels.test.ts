import { expect, it } from 'vitest';
import { channelTarget } from './to-dto';

const apprise = {
  kind: 'apprise' as const,
  serverUrl: 'https://apprise.acme.example/base',
  urls: [] as string[],
  configKey: null,
  tags: null,
};

it.each([
  [
    { kind: 'email' as const, addresses: ['a@x.example', 'b@x.example'] },
    'a@x.example, b@x.example',
  ],
  [
    { ...apprise, urls: ['slack://xoxb-secret/ops', 'pover://user@token'] },
    'slack://••••, pover://•••• via apprise.acme.example',
  ],
  [
    { ...apprise, urls: ['a://1', 'b://2', 'c://3', 'd://4', 'e://5'] },
    'a://••••, b://••••, c://••••, 2 more via apprise.acme.example',
  ],
  [
    { ...apprise, serverUrl: null, configKey: 'acme-ops-2026', tags: 'night' },
    "configuration ••••26, tags night via this installation's Apprise",
  ],
  [
    { kind: 'slack' as const, url: 'https://hooks.slack.com/services/T0/B0/secret' },
    'hooks.slack.com/••••',
  ],
  [
    { kind: 'pagerduty' as const, routingKey: '0123456789abcdef0123456789abcdef', baseUrl: null },
    'key ••••ef at events.pagerduty.com',
  ],
  [
    {
      kind: 'opsgenie' as const,
      product: 'jsm' as const,
      apiKey: '7a1b2c3d-4e5f-6789',
      baseUrl: null,
    },
    'Jira Service Management, key ••••89 at api.atlassian.com',
  ],
  [
    {
      kind: 'oncall_webhook' as const,
      url: 'https://oncall.example/hooks/secret?key=secret',
      shape: 'events_v2' as const,
      routingKey: 'secret',
      headers: [{ name: 'Authorization', value: 'Bearer secret' }],
    },
    'oncall.example/•••• (Events v2 JSON)',
  ],
  [{ ...apprise, configKey: 'short' }, 'configuration •••• via apprise.acme.example'],
])('a target is shown without its secrets: %j', (settings, shown) => {
  expect(channelTarget(settings)).toBe(shown);
});

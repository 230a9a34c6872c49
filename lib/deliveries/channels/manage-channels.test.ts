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
  [{ ...apprise, configKey: 'short' }, 'configuration •••• via apprise.acme.example'],
])('a target is shown without its secrets: %j', (settings, shown) => {
  expect(channelTarget(settings)).toBe(shown);
});

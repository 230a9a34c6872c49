import { describe, expect, it } from 'vitest';
import { createChannelSchema } from './schema';
import { channelSettingsSchema } from './settings-schema';

const strict = channelSettingsSchema({ allowPrivate: false });
const SLACK = 'https://hooks.slack.com/services/T0/B0/x';
const KEY = '0123456789abcdef0123456789abcdef';
const webhook = { kind: 'oncall_webhook', url: 'https://oncall.example/alerts' };
const header = (name: string, value = 'x') => ({ ...webhook, headers: [{ name, value }] });

describe('[INC-2.2] settings as entered', () => {
  it.each([
    [
      { kind: 'slack', url: ` ${SLACK} ` },
      { kind: 'slack', url: SLACK },
    ],
    [
      { kind: 'pagerduty', routingKey: KEY },
      { kind: 'pagerduty', routingKey: KEY, baseUrl: null },
    ],
    [
      { kind: 'pagerduty', routingKey: KEY, baseUrl: 'https://events.eu.pagerduty.com/' },
      { kind: 'pagerduty', routingKey: KEY, baseUrl: 'https://events.eu.pagerduty.com' },
    ],
    [
      { kind: 'opsgenie', apiKey: KEY, baseUrl: ' ' },
      { kind: 'opsgenie', product: 'jsm', apiKey: KEY, baseUrl: null },
    ],
    [webhook, { ...webhook, shape: 'tierwatch', routingKey: null, headers: [] }],
    [
      header('Authorization', ' Bearer x '),
      {
        ...webhook,
        shape: 'tierwatch',
        routingKey: null,
        headers: [{ name: 'Authorization', value: 'Bearer x' }],
      },
    ],
  ])('%j are accepted', (input, settings) => {
    expect(strict.parse(input)).toEqual(settings);
  });

  it.each([
    [{ kind: 'slack', url: 'https://hooks.slack.com' }, 'url', 'has no path'],
    [{ kind: 'slack', url: 'https://hooks.slack.com/••••' }, 'url', 'is masked'],
    [{ kind: 'slack', url: 'https://10.0.0.5/services/x' }, 'url', 'private address'],
    [{ kind: 'slack', url: 'http://hooks.slack.com/x' }, 'url', 'Use HTTPS'],
    [{ kind: 'pagerduty', routingKey: 'short' }, 'routingKey', '32 letters and digits'],
    [
      { kind: 'pagerduty', routingKey: KEY, baseUrl: 'http://169.254.169.254' },
      'baseUrl',
      'metadata address',
    ],
    [{ kind: 'opsgenie', apiKey: 'a b' }, 'apiKey', '16 to 100'],
    [{ ...webhook, url: 'https://127.0.0.1/x' }, 'url', 'private address'],
    [{ ...webhook, routingKey: 'a b' }, 'routingKey', 'no spaces'],
    [
      {
        ...webhook,
        headers: [
          { name: 'a', value: 'x' },
          { name: 'A', value: 'y' },
        ],
      },
      'headers',
      'twice',
    ],
    [
      {
        ...webhook,
        headers: Array.from({ length: 11 }, (_, n) => ({ name: `x-${n}`, value: 'x' })),
      },
      'headers',
      'at most 10',
    ],
    ...[
      'Webhook-Signature',
      'content-type',
      'Content-Length',
      'Host',
      'Connection',
      'Transfer-Encoding',
      'User-Agent',
      'Expect',
    ].map((name) => [header(name), 'headers.0.name', 'sets this header itself'] as const),
    [header('X Y'), 'headers.0.name', 'letters, digits'],
    [header('X-Key', 'a\r\nHost: b'), 'headers.0.value', 'on one line'],
    [header('X-Key', ''), 'headers.0.value', '1 to 2,000'],
    [header('X-Key', 'é'), 'headers.0.value', 'ASCII'],
  ] as const)('%j are refused', (input, path, message) => {
    const issue = strict.safeParse(input).error?.issues[0];
    expect(issue?.path.join('.')).toBe(path);
    expect(issue?.message).toContain(message);
  });
});

describe('[INC-2.2] a new channel is subscribed to', () => {
  const create = createChannelSchema({ allowPrivate: false });
  const outcomesOf = (settings: object, rest: object = {}) =>
    create.parse({ name: 'On call', settings, ...rest }).outcomes;

  it.each([
    [{ kind: 'slack', url: SLACK }, ['needs_human', 'failed', 'lost']],
    [webhook, ['needs_human', 'failed', 'lost']],
    [{ ...webhook, shape: 'events_v2' }, ['needs_human']],
    [{ kind: 'pagerduty', routingKey: KEY }, ['needs_human']],
    [{ kind: 'opsgenie', apiKey: KEY }, ['needs_human']],
  ])('%j', (settings, outcomes) => {
    expect(outcomesOf(settings)).toEqual(outcomes);
  });

  it('what it says, and never to nothing', () => {
    expect(outcomesOf({ kind: 'slack', url: SLACK }, { outcomes: ['fixed', 'fixed'] })).toEqual([
      'fixed',
    ]);
    const nothing = { name: 'x', settings: { kind: 'slack', url: SLACK }, outcomes: [] };
    expect(create.safeParse(nothing).error?.issues[0]).toMatchObject({ path: ['outcomes'] });
  });
});

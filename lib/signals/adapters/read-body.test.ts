/** Every fixture of tests/fixtures/signals, and what real senders vary. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Mapping, SourceKind } from '../source-schema';
import { type ReadPayload, severityOf, timeOf } from './incoming';
import { readBody, readPayload } from './read-body';

const receivedAt = new Date('2026-11-23T10:00:00Z');
const read = (kind: SourceKind, body: string, mapping: Mapping = {}) =>
  readBody(Buffer.from(body), { kind, mapping, receivedAt });
const fixture = (name: string) => readFileSync(`tests/fixtures/signals/${name}.json`, 'utf8');

/** What matters of an alert, in a line. */
function lines(payload: ReadPayload): string[] {
  if (payload.kind === 'unparsed') return [`unparsed ${payload.reason}`];
  if (payload.kind !== 'alerts') return [payload.kind];
  const counts = `skipped ${payload.skipped}, cut off ${payload.truncated}`;
  return [
    ...payload.signals.map((signal) =>
      [
        signal.status,
        signal.kind,
        signal.severity,
        signal.fingerprint,
        signal.startsAt,
        signal.endsAt,
        signal.serviceTexts.join('/'),
        signal.rule,
      ].join(' | '),
    ),
    ...(counts === 'skipped 0, cut off 0' ? [] : [counts]),
  ];
}

const WEB = '8edcf88e29d747b3';
const LATENCY_AT = '2026-11-23T08:40:09.085465635Z';
const prometheus = (status: string, start: string, end: string) =>
  `${status} | problem | critical | 366d37e287840d19 | 2026-11-23T08:${start}.885Z | ${end} | checkout | InstanceDown`;
const latency = (status: string, fingerprint: string, end = '') =>
  `${status} | problem | critical | ${fingerprint} | ${LATENCY_AT} | ${end} | api | HighLatency`;
const [API_1, API_2, API_3] = ['8964a0c3a9ff818e', 'f9b79715c924317f', '371ffb6d14eef3c0'];
const pagerduty = (status: string, start: string, end = '') =>
  `${status} | problem | critical | Q1TIERWATCH01 | ${start} | ${end} | Checkout | checkout-errors`;

const EXPECTED: Record<string, string[]> = {
  'alertmanager_0.34_built': [
    `firing | problem | critical | ${WEB} | 2026-11-23T08:40:09.083944431Z |  | checkout | InstanceDown`,
  ],
  alertmanager_firing: [
    `firing | problem | critical | ${WEB} | 2026-11-23T08:40:09.083944431Z |  | checkout | InstanceDown`,
  ],
  alertmanager_firing_3: [API_1, API_2, API_3].map((fingerprint) => latency('firing', fingerprint)),
  alertmanager_group_by_all: [
    'firing | problem | critical | 08155cfc2c079c5a | 2026-11-23T08:40:59.139753659Z |  |  | PerAlert',
  ],
  alertmanager_ha_duplicate_1: [
    'firing | problem | critical | b53f90322c8946fb | 2026-11-23T08:45:35.809Z |  |  | Split',
  ],
  alertmanager_ha_duplicate_2: [
    'firing | problem | critical | b53f90322c8946fb | 2026-11-23T08:45:35.809Z |  |  | Split',
  ],
  alertmanager_hostile_text: [
    'firing | problem | critical | 6d97fd36bc650790 | 2026-11-23T08:44:31.738183858Z |  | inj | Injected',
  ],
  alertmanager_partially_resolved: [
    latency('firing', API_1),
    latency('firing', API_3),
    latency('resolved', API_2, '2026-11-23T08:40:14.088Z'),
  ],
  alertmanager_resolved_rest: [
    latency('resolved', API_1, '2026-11-23T08:40:26.098Z'),
    latency('resolved', API_3, '2026-11-23T08:40:26.099Z'),
  ],
  alertmanager_severity_changed: [
    'firing | problem | critical | 602e65cbf0874380 | 2026-11-23T08:44:16.691618954Z |  |  | SevChange',
    'resolved | problem | warning | 24df4849a71cfc43 | 2026-11-23T08:44:12.689342358Z | 2026-11-23T08:44:16.689Z |  | SevChange',
  ],
  alertmanager_truncated: [
    'firing | problem | critical | 315790aeca65085a | 2026-11-23T08:40:35.108417667Z |  |  | DiskFull',
    'firing | problem | critical | 588f99465e5609b5 | 2026-11-23T08:40:35.108417667Z |  |  | DiskFull',
    'skipped 0, cut off 3',
  ],
  prometheus_firing: [prometheus('firing', '52:38', '')],
  prometheus_resolved: [prometheus('resolved', '52:38', '2026-11-23T08:52:52.885Z')],
  prometheus_resolved_because_prometheus_died: [
    prometheus('resolved', '54:50', '2026-11-23T08:55:16.885Z'),
  ],
  grafana_firing_built: [
    'firing | problem | critical | 57c6d9296de2ad39 | 2026-11-23T09:00:10Z |  | checkout | cdx1',
  ],
  grafana_resolved_built: [
    'resolved | problem | critical | 57c6d9296de2ad39 | 2026-11-23T09:00:10Z | 2026-11-23T09:06:10Z | checkout | cdx1',
  ],
  grafana_no_data_built: [
    'firing | signal_lost | warning | 0c1f5f7f2b8b7e11 | 2026-11-23T09:00:10Z |  |  | cdx1',
  ],
  grafana_test_built: ['test_received'],
  pagerduty_triggered_built: [pagerduty('firing', '2026-11-23T09:00:12Z')],
  pagerduty_acknowledged_built: [pagerduty('firing', '2026-11-23T09:00:12Z')],
  pagerduty_unacknowledged_built: [pagerduty('firing', '2026-11-23T09:00:12Z')],
  pagerduty_reopened_built: [pagerduty('firing', '2026-11-23T09:44:10Z')],
  pagerduty_resolved_built: [pagerduty('resolved', '', '2026-11-23T09:41:03.900Z')],
  generic_events_v2_in_built: ['firing | problem | critical | nagios/web-1/http |  |  | web-1 | '],
  generic_uptime_kuma_built: ['unparsed no_status'],
};
/** Only their numbers differ from those above. */
const ALIKE = [
  'alertmanager_refired_new_startsAt',
  'alertmanager_resolved',
  'alertmanager_resolved_by_timeout',
];

const kindOf = (name: string) =>
  (name.startsWith('prometheus') ? 'alertmanager' : name.split('_')[0]) as SourceKind;

interface SentEvent {
  event_type: string;
  data: Record<string, unknown>;
}

describe('what senders send', () => {
  it('[INC-1.3] is in the table for every fixture', () => {
    const names = readdirSync('tests/fixtures/signals')
      .map((name) => name.replace('.json', ''))
      .filter((name) => !/headers|signature/.test(name));
    expect([...Object.keys(EXPECTED), ...ALIKE].toSorted()).toEqual(names.toSorted());
  });

  it.each(Object.entries(EXPECTED))('[INC-1.3] %s', (name, expected) => {
    expect(lines(read(kindOf(name), fixture(name)))).toEqual(expected);
  });

  it.each(ALIKE)('[INC-1.3] %s', (name) => {
    const [line, ...others] = lines(read(kindOf(name), fixture(name)));
    expect(others).toEqual([]);
    expect(line).toMatch(
      /^(?:firing|resolved) \| problem \| critical \| [0-9a-f]{16} \| 2026-11-23T/,
    );
  });

  it('[INC-1.3] Grafana: a series that vanished is stale, not recovered', () => {
    const payload = JSON.parse(fixture('grafana_resolved_built'));
    payload.alerts[0].annotations.grafana_state_reason = 'MissingSeries';
    const [line] = lines(readPayload(payload, { kind: 'grafana', mapping: {}, receivedAt }));
    expect(line).toMatch(/^stale/);
  });

  it('[INC-1.3] Grafana: a rule that failed has lost its signal, too', () => {
    const payload = JSON.parse(fixture('grafana_no_data_built'));
    payload.alerts[0].labels.alertname = 'DatasourceError';
    const [line] = lines(readPayload(payload, { kind: 'grafana', mapping: {}, receivedAt }));
    expect(line).toMatch(/^firing \| signal_lost/);
  });

  it.each<[string, (event: SentEvent) => void, string]>([
    [
      'a type that is unknown',
      (e) => Object.assign(e, { event_type: 'incident.invented' }),
      'firing',
    ],
    [
      'a type of another resource',
      (e) => Object.assign(e, { event_type: 'service.updated' }),
      'event_ignored',
    ],
    [
      'an event with other data',
      (e) =>
        Object.assign(e, {
          event_type: 'incident.annotated',
          data: { type: 'incident_note', content: 'x' },
        }),
      'event_ignored',
    ],
    [
      'a test',
      (e) => Object.assign(e, { event_type: 'pagey.ping', data: { message: 'Hello' } }),
      'test_received',
    ],
    [
      'an event that is 50 hours old',
      (e) => Object.assign(e, { occurred_at: '2026-11-21T08:00:00Z' }),
      'event_too_old',
    ],
    [
      'an event that is 48 hours old',
      (e) => Object.assign(e, { occurred_at: '2026-11-21T10:00:00Z' }),
      'firing',
    ],
    [
      'an incident that Tierwatch opened',
      (e) => Object.assign(e.data, { incident_key: 'tierwatch-inc_1' }),
      'own_incident',
    ],
    [
      'an incident that Tierwatch opened, as in its examples',
      (e) => Object.assign(e.data, { incident_key: 'tierwatch/inc_1' }),
      'own_incident',
    ],
    [
      'an incident about Tierwatch',
      (e) => Object.assign(e.data, { incident_key: 'tierwatch' }),
      'firing',
    ],
  ])('[INC-1.3] PagerDuty: %s', (_, edit, expected) => {
    const payload = JSON.parse(fixture('pagerduty_triggered_built'));
    edit(payload.event);
    const [line] = lines(readPayload(payload, { kind: 'pagerduty', mapping: {}, receivedAt }));
    expect(line?.split(' ')[0]).toBe(expected);
  });
});

const UPTIME_KUMA: Mapping = {
  status: 'heartbeat.status',
  firingValues: ['0'],
  resolvedValues: ['1'],
  title: 'msg',
  service: 'monitor.name',
  fingerprint: 'monitor.id',
  link: 'monitor.url',
};

describe('any JSON', () => {
  it('[INC-1.3] through a mapping', () => {
    const payload = read('generic', fixture('generic_uptime_kuma_built'), UPTIME_KUMA);
    expect(payload).toMatchObject({
      signals: [
        {
          fingerprint: '7',
          status: 'firing',
          title: '[checkout] [🔴 Down] timeout of 48000ms exceeded',
          serviceTexts: ['checkout'],
          link: 'https://shop.example.test/health',
        },
      ],
    });
  });

  it.each<[string, Mapping, unknown, string]>([
    [
      'the usual names',
      {},
      { id: 1, status: 'firing', title: 'x' },
      'firing | problem | warning | 1 |  |  |  | ',
    ],
    [
      'another case',
      {},
      { alias: 'a', state: 'RESOLVED', summary: 'x' },
      'resolved | problem | warning | a |  |  |  | ',
    ],
    [
      'a start',
      {},
      { id: 'a', status: 'open', title: 'x', started_at: '2026-11-23T09:00:00Z' },
      'firing | problem | warning | a | 2026-11-23T09:00:00Z |  |  | ',
    ],
    [
      'the end of an event without a title',
      {},
      { dedup_key: 'k', event_action: 'resolve' },
      'resolved | problem | warning | k |  |  |  | ',
    ],
    ['no title', {}, { id: 'a', status: 'firing' }, 'unparsed no_title'],
    ['no status', {}, { id: 'a', title: 'x' }, 'unparsed no_status'],
    ['a status that is unknown', {}, { id: 'a', status: 'odd', title: 'x' }, 'unparsed no_status'],
    [
      'a path to nothing',
      { title: 'a.b[3].c' },
      { id: 'a', status: 'firing', title: 'x' },
      'unparsed no_title',
    ],
    [
      'a path through a list',
      { title: 'events[1].name' },
      { id: 'a', status: 'firing', events: [{}, { name: 'x' }] },
      'firing | problem | warning | a |  |  |  | ',
    ],
    [
      'a path to a name of JavaScript',
      { title: 'constructor.name' },
      { id: 'a', status: 'firing' },
      'unparsed no_title',
    ],
    [
      'an object in place of a text',
      {},
      { id: 'a', status: 'firing', title: {} },
      'unparsed no_title',
    ],
    ['a list', {}, [{ id: 'a', status: 'firing', title: 'x' }], 'unparsed unknown_shape'],
    ['a text', {}, 'down', 'unparsed unknown_shape'],
    ['null', {}, null, 'unparsed unknown_shape'],
    ['an empty list of alerts', { alerts: 'list' }, { list: [] }, 'unparsed unknown_shape'],
  ])('[INC-1.3] %s', (_, mapping, payload, expected) => {
    expect(lines(readPayload(payload, { kind: 'generic', mapping, receivedAt }))).toEqual([
      expected,
    ]);
  });

  it('[INC-1.3] reads the alerts of a list, and counts those it can’t read', () => {
    const list = [
      { id: 1, status: 'ok', title: 'a' },
      { id: 2 },
      { id: 3, status: 'down', title: 'b' },
    ];
    expect(
      lines(readPayload({ list }, { kind: 'generic', mapping: { alerts: 'list' }, receivedAt })),
    ).toEqual([
      'firing | problem | warning | 3 |  |  |  | ',
      'resolved | problem | warning | 1 |  |  |  | ',
      'skipped 1, cut off 0',
    ]);
  });

  it('[INC-1.3] without an id is recognized by its title and service', () => {
    const of = (title: string, service: string) =>
      lines(
        readPayload(
          { status: 'down', title, service },
          { kind: 'generic', mapping: {}, receivedAt },
        ),
      )[0];
    expect(of('a', 'web')).toBe(of('a', 'web'));
    expect(new Set([of('a', 'web'), of('a', 'db'), of('b', 'web'), of('aw', 'eb')]).size).toBe(4);
  });

  it.each<[SourceKind, string, string]>([
    ['alertmanager', '{', 'unparsed not_json'],
    ['alertmanager', '', 'unparsed not_json'],
    ['grafana', '{"version":"1","groupKey":"k","alerts":[]}', 'unparsed unknown_shape'],
    [
      'alertmanager',
      '{"version":"4","groupKey":"k","alerts":[{"status":"firing"}]}',
      'unparsed unknown_shape',
    ],
    ['alertmanager', '{"version":"5","groupKey":"k","alerts":[]}', 'unparsed no_status'],
    [
      'grafana',
      '{"state":"alerting","title":"x","id":"a"}',
      'firing | problem | warning | a |  |  |  | ',
    ],
    ['pagerduty', '{"messages":[]}', 'unparsed no_status'],
  ])('[INC-1.3] %s with the body %s', (kind, body, expected) => {
    expect(lines(read(kind, body))).toEqual([expected]);
  });

  it('[INC-1.3] keeps what it can read of a list with broken alerts', () => {
    const payload = JSON.parse(fixture('alertmanager_firing_3'));
    payload.alerts[0].fingerprint = 7;
    delete payload.alerts[1].labels;
    const result = readPayload(payload, { kind: 'alertmanager', mapping: {}, receivedAt });
    expect(result).toMatchObject({
      skipped: 1,
      signals: [{ fingerprint: API_2 }, { fingerprint: API_3 }],
    });
  });

  it('[INC-1.3] reads every alert of a list, however many there are', () => {
    const list = Array.from({ length: 12_000 }, (_, id) => ({ id, status: 'resolved' }));
    const reading = { kind: 'generic' as const, mapping: { alerts: 'list' }, receivedAt };
    const result = readPayload({ list }, reading);
    expect(result).toMatchObject({ kind: 'alerts', skipped: 0 });
    expect(result.kind === 'alerts' && result.signals.length).toBe(12_000);
  });

  it('[INC-1.3] that isn’t UTF-8 isn’t read', () => {
    const body = Buffer.from([0x22, 0xff, 0x22]);
    expect(readBody(body, { kind: 'generic', mapping: {}, receivedAt })).toEqual({
      kind: 'unparsed',
      reason: 'not_json',
    });
  });
});

describe('bounds', () => {
  const huge = 'x'.repeat(100_000);
  const one = (fields: Record<string, unknown>) => {
    const payload = readPayload(
      { id: 'a', status: 'firing', title: 't', ...fields },
      { kind: 'generic', mapping: {}, receivedAt },
    );
    if (payload.kind !== 'alerts' || !payload.signals[0]) throw new Error('It was not read.');
    return payload.signals[0];
  };

  it('[INC-1.4] every text of an alert has a maximum length', () => {
    const signal = one({
      id: huge,
      title: huge,
      service: huge,
      started_at: huge,
      url: `https://a/${huge}`,
    });
    expect(signal.fingerprint).toHaveLength(64);
    expect(signal.startsAt).toHaveLength(64);
    expect(signal.title).toHaveLength(300);
    expect(signal.serviceTexts[0]).toHaveLength(200);
    expect(signal.link).toBeNull();
    expect(Math.max(...Object.values(signal.labels).map(({ length }) => length))).toBe(1_000);
  });

  it('[INC-1.4] two long ids that begin alike stay apart', () => {
    expect(one({ id: `${huge}1` }).fingerprint).not.toBe(one({ id: `${huge}2` }).fingerprint);
  });

  it('[INC-1.4] labels have a maximum number', () => {
    const labels = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`l${index}`, 'x']),
    );
    expect(Object.keys(one(labels).labels)).toHaveLength(50);
  });

  it.each([
    ['https://a.example/x?y=1', 'https://a.example/x?y=1'],
    ['http://a.example', 'http://a.example/'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['file:///etc/passwd', null],
    ['//a.example', null],
    ['https://user:password@a.example', null],
    ['\u0001https://a.example', 'https://a.example/'],
  ])('[INC-1.4] the link %j becomes %j', (url, expected) => {
    expect(one({ url }).link).toBe(expected);
  });

  it('[INC-1.4] secrets of known forms and what PostgreSQL can’t store are replaced', () => {
    const secret = `ghp_${'a'.repeat(36)}`;
    const signal = one({ title: `token ${secret}`, note: `${secret}`, x: 'a\0b\ud800' });
    expect(JSON.stringify(signal)).not.toContain(secret);
    expect(JSON.stringify(signal)).not.toContain('\\u0000');
    expect(signal.labels.x).toBe('a\uFFFDb\uFFFD');
  });
});

it.each([
  ['critical', 'critical'],
  ['Critical ', 'critical'],
  ['page', 'critical'],
  ['P1', 'critical'],
  ['high', 'critical'],
  ['major', 'error'],
  ['P2', 'error'],
  ['warning', 'warning'],
  ['P3', 'warning'],
  ['info', 'info'],
  ['low', 'info'],
  ['none', 'info'],
  ['odd', 'warning'],
  ['', 'warning'],
  [null, 'warning'],
])('[INC-1.3] the severity %j is %s', (word, expected) => {
  expect(severityOf(word)).toBe(expected);
});

it.each([
  ['2026-11-23T08:40:09.083944431Z', '2026-11-23T08:40:09.083Z'],
  ['2026-11-23T10:40:09+02:00', '2026-11-23T08:40:09.000Z'],
  ['2026-11-23 09:00:12.431', '2026-11-23T09:00:12.431Z'],
  ['2026-11-23', '2026-11-23T00:00:00.000Z'],
  ['1795424410', '2026-11-23T09:00:10.000Z'],
  ['1795424410.5', '2026-11-23T09:00:10.500Z'],
  ['1795424410000', '2026-11-23T09:00:10.000Z'],
  ['0001-01-01T00:00:00Z', undefined],
  ['0000-01-01T00:00:00Z', undefined],
  ['2026-13-45T00:00:00Z', undefined],
  ['+275760-09-13T00:00:00Z', undefined],
  ['5', undefined],
  ['yesterday', undefined],
  ['', undefined],
  [null, undefined],
])('[INC-1.3] the time %j is %s', (text, expected) => {
  expect(timeOf(text)?.toISOString()).toBe(expected);
});

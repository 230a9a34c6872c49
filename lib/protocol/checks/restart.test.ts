import { describe, expect, it } from 'vitest';
import { factWords } from './describe-check';
import type { CheckFacts } from './kinds';
import { restartSince } from './restart';

describe('[INC-1.1] a restart between two executions', () => {
  it.each([
    [null, { restarts: 4, instance: 'a' }, null],
    [{}, { restarts: 4, instance: 'a' }, null],
    [{ restarts: 4, instance: 'a' }, { restarts: 4, instance: 'a' }, null],
    [{ restarts: 4 }, { restarts: 5 }, 'Restarted automatically since the last check (once).'],
    [{ restarts: 4 }, { restarts: 9 }, 'Restarted automatically since the last check (5 times).'],
    // A new container of the same name counts from 0.
    [
      { restarts: 4, instance: 'a' },
      { restarts: 0, instance: 'b' },
      'Restarted since the last check.',
    ],
    [
      { instance: '12 100' },
      { instance: '12 900', startedAt: '2026-11-26T10:00:00.000Z' },
      'Restarted since the last check, at 2026-11-26T10:00:00.000Z.',
    ],
    [{ instance: 'a' }, {}, null],
  ])('from %j to %j: %s', (before, now, expected) => {
    expect(restartSince(before, now)).toBe(expected);
  });
});

it.each([
  ['container', {}, ''],
  ['container', { state: 'running (healthy)', restarts: 2 }, 'running (healthy), 2 restarts'],
  [
    'http',
    {
      address: '10.0.0.7',
      statusCode: 200,
      hops: ['301 http://shop.test/', '200 https://shop.test/'],
      phases: { dnsMs: 2, connectMs: 1, tlsMs: null, firstByteMs: 9 },
    },
    'from 10.0.0.7, after 301 http://shop.test/, dns 2 ms, connect 1 ms, first byte 9 ms',
  ],
  ['prometheus', { value: 0, sampleSeconds: 12 }, 'value 0, 12 s old'],
  ['tls', { daysLeft: 61, address: '::1' }, '61 days left, from ::1'],
] as const)('[INC-1.1] words of %s %j as %j', (type, facts, words) => {
  expect(factWords(type, structuredClone(facts) as CheckFacts)).toBe(words);
});

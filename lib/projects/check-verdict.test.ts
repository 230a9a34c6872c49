import { describe, expect, it } from 'vitest';
import type { CheckResultEvent } from '@/lib/protocol/events';
import { verdictOf } from './check-verdict';

/** `http:down:40` is a result of the check http, which answered after 40 ms. */
function resultOf(text: string) {
  const [type = '', status, time] = text.split(':');
  return {
    type,
    target: 'web',
    status: status as CheckResultEvent['status'],
    error: status === 'healthy' ? '' : `${type} is ${status}`,
    responseTimeMs: time === undefined ? null : Number(time),
  };
}

describe('a service is as well as its worst check', () => {
  it.each([
    [['http:healthy:12'], 'healthy', 'healthy', 'healthy', '', 12],
    [['http:healthy:12', 'process:healthy'], 'healthy', 'healthy', 'healthy', '', 12],
    [['http:healthy:12', 'tcp:healthy:30'], 'healthy', 'healthy', 'healthy', '', 30],
    [['http:healthy:12', 'process:down'], 'down', 'down', 'down', 'process is down', 12],
    [['http:degraded:900', 'tcp:down'], 'down', 'down', 'down', 'tcp is down', 900],
    [['process:healthy'], 'healthy', 'healthy', 'healthy', '', null],
    // A check that was repeated: the last result counts, and the worst is kept.
    [['http:down', 'http:healthy:9'], 'healthy', 'down', 'down', '', 9],
    [['http:healthy:9', 'http:down', 'http:healthy:8'], 'healthy', 'healthy', 'down', '', 8],
    [
      ['http:healthy:9', 'http:degraded:8'],
      'degraded',
      'healthy',
      'degraded',
      'http is degraded',
      8,
    ],
  ] as const)('%j: %s, first %s, at worst %s', (results, status, before, worst, error, time) => {
    expect(verdictOf(results.map(resultOf))).toEqual({
      status,
      error,
      proven: { status, before, worst },
      responseTimeMs: time,
    });
  });
});

describe('[INC-1.1] a check that couldn’t be performed neither passes nor proves an outage', () => {
  it.each([
    // Nothing is proven, so the chain has no row in the service's history.
    [['http:unknown'], 'unknown', null],
    [['http:healthy:9', 'container:unknown'], 'unknown', null],
    [['http:unknown', 'http:healthy:9'], 'healthy', ['healthy', 'healthy', 'healthy']],
    // A failure of another check is proven.
    [['http:down', 'container:unknown'], 'down', ['down', 'down', 'down']],
    [['http:degraded:9', 'container:unknown'], 'degraded', ['degraded', 'degraded', 'degraded']],
    // An outage whose end couldn't be checked continues.
    [['http:down', 'http:unknown'], 'unknown', ['down', 'down', 'down']],
    [['http:down', 'http:healthy:9', 'container:unknown'], 'unknown', ['down', 'down', 'down']],
    // What was unknown first began as what was found then.
    [['http:unknown', 'http:down'], 'down', ['down', 'down', 'down']],
    [['http:unknown', 'http:healthy:9', 'http:down'], 'down', ['down', 'healthy', 'down']],
  ] as const)('%j: %s, proven %j', (results, status, proven) => {
    const [last, before, worst] = proven ?? [];
    expect(verdictOf(results.map(resultOf))).toMatchObject({
      status,
      proven: proven && { status: last, before, worst },
    });
  });

  it('gives the reason of the check that decides', () => {
    const results = ['http:healthy:9', 'container:unknown'].map(resultOf);
    expect(verdictOf(results).error).toBe('container is unknown');
  });
});

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
  ])('%j: %s, first %s, at worst %s', (results, status, before, worst, error, responseTimeMs) => {
    expect(verdictOf(results.map(resultOf))).toEqual({
      status,
      before,
      worst,
      error,
      responseTimeMs,
    });
  });
});

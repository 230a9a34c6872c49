import { describe, expect, it } from 'vitest';
import { type MetricsRequest, type MetricsRules, refusalOfMetrics } from './access';

const LOCAL: MetricsRequest = {
  authorization: null,
  peer: '127.0.0.1',
  host: '127.0.0.1:3000',
  isForwarded: false,
};
const OPEN: MetricsRules = { token: null, isLocal: true };
const GUARDED: MetricsRules = { token: 'a-token-of-metrics', isLocal: false };

describe('[INC-4.2] who may read the metrics', () => {
  it.each<[string, Partial<MetricsRequest>, MetricsRules, boolean]>([
    ['this machine, without a token', {}, OPEN, true],
    ['this machine by name', { host: 'localhost:3000' }, OPEN, true],
    ['this machine by IPv6', { peer: '::1', host: '[::1]:3000' }, OPEN, true],
    ['this machine by a mapped address', { peer: '::ffff:127.0.0.1' }, OPEN, true],
    ['another machine', { peer: '192.0.2.7' }, OPEN, false],
    ['an unknown peer', { peer: null }, OPEN, false],
    ['a peer that is no address', { peer: 'unknown' }, OPEN, false],
    ['a proxy that says so', { isForwarded: true }, OPEN, false],
    ['a page of another name that resolves to this machine', { host: 'evil.example' }, OPEN, false],
    ['without a Host', { host: null }, OPEN, false],
    ['a proxy of a public installation', {}, { ...OPEN, isLocal: false }, false],
    ['this machine where a token is set', {}, { ...GUARDED, isLocal: true }, false],
    ['the token', { authorization: 'Bearer a-token-of-metrics', peer: '192.0.2.7' }, GUARDED, true],
    ['the token, lower-case scheme', { authorization: 'bearer a-token-of-metrics' }, GUARDED, true],
    ['another token', { authorization: 'Bearer a-token-of-metric' }, GUARDED, false],
    ['a longer token', { authorization: 'Bearer a-token-of-metricss' }, GUARDED, false],
    ['another scheme', { authorization: 'Basic a-token-of-metrics' }, GUARDED, false],
    ['an empty token', { authorization: 'Bearer ' }, GUARDED, false],
  ])('%s', (_name, request, rules, isAllowed) => {
    expect(refusalOfMetrics({ ...LOCAL, ...request }, rules) === null).toBe(isAllowed);
  });

  it('says what to do without repeating what was sent', () => {
    const wrong = refusalOfMetrics({ ...LOCAL, authorization: 'Bearer guess' }, GUARDED);
    expect(wrong).toContain('Authorization: Bearer');
    expect(wrong).not.toContain('guess');
    expect(wrong).not.toContain(GUARDED.token);
    expect(refusalOfMetrics({ ...LOCAL, peer: null }, OPEN)).toContain('TIERWATCH_METRICS_TOKEN');
  });
});

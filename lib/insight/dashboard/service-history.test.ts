import { expect, it } from 'vitest';
import { bucketsOf } from '../analytics/buckets';
import type { PlotFrame } from '../analytics/frame';
import { labelsOf } from '../analytics/labels';
import {
  healthHistory,
  healthWords,
  historySentence,
  latencyPoints,
  uptimeOf,
} from './service-history';

const now = new Date('2026-11-21T14:58:00Z');
const buckets = bucketsOf('7d', now, 'UTC');
const frame = {
  buckets,
  now,
  projectId: null,
  rangeWords: 'the last 7 days',
  labels: labelsOf(buckets, 'day', 'UTC'),
} as unknown as PlotFrame;

const counts = { healthy: 0, degraded: 0, down: 0, repaired: 0 };

it('a day is as well as its worst chain, and one without chains is a gap', () => {
  const history = healthHistory(frame, [
    { ...counts, bucket: 1, healthy: 143, down: 1, repaired: 1 },
    { ...counts, bucket: 2, healthy: 100, degraded: 2 },
    { ...counts, bucket: 6, healthy: 12 },
  ]);
  expect(history.map((bucket) => bucket.state)).toEqual([
    ...['unknown', 'down', 'degraded', 'unknown', 'unknown', 'unknown', 'healthy'],
  ]);
  expect(history[1]).toMatchObject({ label: 'Mon 16 Nov', chains: 144, down: 1, repaired: 1 });
  expect(historySentence('web', history, frame.rangeWords)).toBe(
    'In the last 7 days, web was down in 1 and degraded in 2 of 258 chains, repaired in 1.',
  );
});

it.each([
  ['no chain checked it', {}],
  ['healthy in the only chain', { healthy: 1 }],
  ['healthy in all 1,200 chains', { healthy: 1_200 }],
  ['down in 3 of 7 chains, repaired in 3', { healthy: 4, down: 3, repaired: 3 }],
  ['down in 1 of 1 chain', { down: 1 }],
])('%s', (words, found) => {
  expect(healthWords({ ...counts, ...found })).toBe(words);
});

it('says that no chain has checked it', () => {
  expect(historySentence('web', healthHistory(frame, []), frame.rangeWords)).toBe(
    'No chain has checked web in the last 7 days.',
  );
});

it('[PAG-1.2] uptime counts the worst of each chain, and nothing is not 0%', () => {
  const row = { ...counts, p50: 12, p95: 40.5 };
  const uptime = uptimeOf([
    { ...row, hours: 24, healthy: 4, down: 3, repaired: 3 },
    { ...row, hours: 168, healthy: 9_999, down: 1 },
  ]);
  expect(uptime).toMatchObject([
    { label: '24 h', share: '57%', words: 'down in 3 of 7 chains, repaired in 3', p50: 12 },
    { label: '7 d', share: '>99%' },
    { label: '30 d', share: null, chains: 0, words: 'no chain checked it', p50: null, p95: null },
  ]);
});

it('latency is oldest first, and a failed check is a gap', () => {
  const row = (number: number, status: string, responseTimeMs: number | null) => ({
    at: now,
    status,
    responseTimeMs,
    chain: { number },
  });
  const points = latencyPoints([
    row(3, 'healthy', 9),
    row(2, 'down', 10_000),
    row(1, 'degraded', 7),
  ]);
  expect(points.map(({ chainNumber, ms }) => [chainNumber, ms])).toEqual([
    [1, 7],
    [2, null],
    [3, 9],
  ]);
});

import { expect, it } from 'vitest';
import { bucketsOf } from '../analytics/buckets';
import type { PlotFrame } from '../analytics/frame';
import { labelsOf } from '../analytics/labels';
import { healthHistory, historySentence } from './get-service-page';

const now = new Date('2026-11-21T14:58:00Z');
const buckets = bucketsOf('7d', now, 'UTC');
const frame = {
  buckets,
  now,
  projectId: null,
  rangeWords: 'the last 7 days',
  labels: labelsOf(buckets, 'day', 'UTC'),
} as unknown as PlotFrame;

it('a day is as well as its worst cycle, and one without cycles is a gap', () => {
  const history = healthHistory(frame, [
    { bucket: 1, healthy: 143, degraded: 0, down: 1 },
    { bucket: 2, healthy: 100, degraded: 2, down: 0 },
    { bucket: 6, healthy: 12, degraded: 0, down: 0 },
  ]);
  expect(history.map((bucket) => bucket.state)).toEqual([
    ...['unknown', 'down', 'degraded', 'unknown', 'unknown', 'unknown', 'healthy'],
  ]);
  expect(history[1]).toMatchObject({ label: 'Mon 16 Nov', cycles: 144, healthy: 143 });
  expect(historySentence('web', history, frame.rangeWords)).toBe(
    'web was healthy in 255 of 258 cycles of the last 7 days.',
  );
});

it.each([
  [[], 'No cycle has checked web in the last 7 days.'],
  [
    [{ bucket: 6, healthy: 1, degraded: 0, down: 0 }],
    'web was healthy in the 1 cycle of the last 7 days.',
  ],
  [
    [{ bucket: 6, healthy: 1200, degraded: 0, down: 0 }],
    'web was healthy in all 1,200 cycles of the last 7 days.',
  ],
])('%j reads %s', (rows, sentence) => {
  expect(historySentence('web', healthHistory(frame, rows), frame.rangeWords)).toBe(sentence);
});

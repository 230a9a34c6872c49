import { expect, it } from 'vitest';
import { areaOf } from './picture-frame';
import type { Drawing } from './plot-view';

const bars = (...labels: string[]): Drawing => ({
  form: 'bars',
  series: [],
  rows: [],
  ticks: labels.map((label, value) => ({ value, label })),
  limit: null,
});

it.each([
  ['a digit', bars('0', '4'), 32],
  ['shares', bars('0%', '100%'), 46],
  ['fractions of a cent', bars('$0', '$0.015'), 54],
  ['thousands', bars('$0', '$12,500'), 62],
])('[PAG-2.1] the space at the left holds %s', (_what, drawing, left) => {
  expect(areaOf(drawing).left).toBe(left);
});

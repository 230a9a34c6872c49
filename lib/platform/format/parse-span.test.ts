import { expect, it } from 'vitest';
import { formatSpan, parseSpan } from './duration';

it.each([
  ['10m', 600],
  ['1h 30m', 5_400],
  ['45s', 45],
  ['2 h', 7_200],
  ['10 min', 600],
  ['3 days', 259_200],
  ['', null],
  ['10', null],
  ['ten m', null],
  ['-5m', null],
])('reads %j as %j', (text, seconds) => {
  expect(parseSpan(text)).toBe(seconds);
});

it.each([30, 90, 600, 14_400, 93_600])('reads back what is written for %d s', (seconds) => {
  expect(parseSpan(formatSpan(seconds))).toBe(seconds);
});

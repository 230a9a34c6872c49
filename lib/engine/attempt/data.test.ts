import { expect, it } from 'vitest';
import { isCurrentRun } from './data';

it.each([
  ['running', 3, 3, true],
  ['claimed', 3, 3, true],
  ['running', 3, 2, false],
  ['running', 3, 4, false],
  ['ended', 3, 3, false],
])('[SAS-3.3] an attempt that is %s under fence %i takes a write under %i: %s', (...row) => {
  const [status, fence, given, takes] = row;
  expect(isCurrentRun({ status, fence }, given)).toBe(takes);
});

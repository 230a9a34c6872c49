import { expect, it } from 'vitest';
import { boxHeight, isScrolledUp } from './use-follow';

it.each([
  ['a laptop, little above the log', 900, 500, 384],
  ['a laptop, much above it', 900, 630, 254],
  ['a tall window', 1_400, 600, 784],
  ['a phone, where cards stand above it', 844, 1_200, 668],
  ['a window that is hardly there', 300, 600, 208],
])('[PAG-1.1] a followed log on %s', (_name, windowHeight, top, height) => {
  expect(boxHeight(windowHeight, top)).toBe(height);
});

const BEFORE = { top: 600, height: 1_000, shown: 400 };
it.each([
  ['a reader scrolled while lines came', { top: 0, height: 1_040, shown: 400 }, true],
  ['lines came', { top: 600, height: 1_040, shown: 400 }, false],
  ['the box became taller', { top: 500, height: 1_000, shown: 500 }, false],
  ['lines went away', { top: 560, height: 960, shown: 400 }, false],
  ['a position was rounded', { top: 599.5, height: 1_000, shown: 400 }, false],
])('[PAG-1.1] a followed log where %s', (_name, now, isReaders) => {
  expect(isScrolledUp(BEFORE, now)).toBe(isReaders);
});

import { expect, it } from 'vitest';
import { boxHeight } from './use-follow';

it.each([
  ['a laptop, little above the log', 900, 500, 384],
  ['a laptop, much above it', 900, 630, 254],
  ['a tall window', 1_400, 600, 784],
  ['a phone, where cards stand above it', 844, 1_200, 668],
  ['a window that is hardly there', 300, 600, 208],
])('[PAG-1.1] a followed log on %s', (_name, windowHeight, top, height) => {
  expect(boxHeight(windowHeight, top)).toBe(height);
});

import { expect, it } from 'vitest';
import { cutText } from './text';

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['a💯bc', 3, 'a…'],
  ['a💯bc', 4, 'a💯…'],
])('%s to %d characters', (text, chars, cut) => {
  expect(cutText(text, chars)).toBe(cut);
  expect(cut.isWellFormed()).toBe(true);
});

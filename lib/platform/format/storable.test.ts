import { expect, it } from 'vitest';
import { parseStorable, sanitizeForPostgres, storable } from './text';

it.each([
  ['a NUL', 'a\0b', 'a\uFFFDb'],
  ['the first half of a pair', 'a\ud83d', 'a\uFFFD'],
  ['the second half of a pair', '\udcafb', '\uFFFDb'],
  ['a whole pair', '💯', '💯'],
  ['what merely looks like it', 'C:\\u0000', 'C:\\u0000'],
])('%s', (_what, text, stored) => {
  expect(sanitizeForPostgres(text)).toBe(stored);
  const wrapped = { list: [{ [text]: text }], number: 1, none: null };
  const expected = { list: [{ [stored]: stored }], number: 1, none: null };
  expect(storable(wrapped)).toEqual(expected);
  expect(parseStorable(JSON.stringify(wrapped))).toEqual(expected);
});

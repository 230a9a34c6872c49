import { expect, it } from 'vitest';
import { keptHeaders } from './transport';

it.each([
  [{ 'content-type': 'text/html' }, { 'content-type': 'text/html' }],
  [{ 'set-cookie': 'session=1', authorization: 'Bearer x', date: 'now' }, { date: 'now' }],
  [{ 'x-long': 'x'.repeat(9_000) }, { 'x-long': 'x'.repeat(500) }],
  [{ 'x-nul': 'a\0b' }, { 'x-nul': 'a\uFFFDb' }],
])('keptHeaders(%j)', (headers, kept) => {
  expect(keptHeaders(headers as unknown as Record<string, string>)).toEqual(kept);
});

it('keeps the first forty of an endless list', () => {
  const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`x-${index}`, '1']));
  expect(Object.keys(keptHeaders(many))).toHaveLength(40);
});

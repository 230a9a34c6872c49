import { expect, it } from 'vitest';
import { scrapeTimeoutMs } from './scrape';

it.each([
  [null, 8_000],
  ['', 8_000],
  ['5', 4_000],
  ['10.000000', 8_000],
  ['0', 800],
  ['-3', 800],
  ['1e9', 24_000],
  ['Infinity', 8_000],
  ['soon', 8_000],
])('[INC-4.2] a scrape with the timeout %s is answered within %s ms', (header, ms) => {
  expect(scrapeTimeoutMs(header)).toBe(ms);
});

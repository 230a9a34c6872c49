import { expect, it } from 'vitest';
import { highlightRanges } from './search';

/** "text.offset–text.offset" of each range. */
function written(texts: readonly string[], words: string): string {
  return highlightRanges(texts, words)
    .map(({ start, end }) => `${start.text}.${start.offset}–${end.text}.${end.offset}`)
    .join(' ');
}

it.each([
  ['no words', ['disk full'], '  ', ''],
  ['no match', ['disk full'], 'memory', ''],
  ['a match', ['disk full'], 'full', '0.5–0.9'],
  ['other capitals', ['Disk FULL'], 'disk full', '0.0–0.9'],
  ['spaces around the words', ['disk full'], ' disk ', '0.0–0.4'],
  ['several in one text', ['web, web2, Web'], 'web', '0.0–0.3 0.5–0.8 0.11–0.14'],
  ['without overlap', ['aaaa'], 'aa', '0.0–0.2 0.2–0.4'],
  ['across texts', ['docker re', 'start web'], 'restart', '0.7–1.5'],
  ['across three texts', ['a', 'b', 'c'], 'abc', '0.0–2.1'],
  ['at the end of a text', ['disk', ' full'], 'disk', '0.0–0.4'],
  ['at the start of a later text', ['disk', 'full'], 'full', '1.0–1.4'],
  ['behind an empty text', ['', 'disk'], 'disk', '1.0–1.4'],
  ['in several texts', ['web', ' and ', 'web'], 'web', '0.0–0.3 2.0–2.3'],
  ['behind a character whose lower case is longer', ['İ disk'], 'disk', '0.2–0.6'],
  ['behind an emoji', ['🔥 disk'], 'disk', '0.3–0.7'],
])('finds %s', (_what, texts, words, ranges) => {
  expect(written(texts, words)).toBe(ranges);
});

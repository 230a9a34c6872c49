import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logWindow } from './sessions';

const events = (...texts: string[]) => texts.map((text, index) => ({ seq: index + 4, text }));

describe('[INC-4.3] a part of a log', () => {
  it.each([
    ['nothing', [], 0, { text: '', firstEvent: null, lastEvent: null, next: null }],
    ['all', events('ab', 'cd'), 0, { text: 'abcd', firstEvent: 4, lastEvent: 5, next: null }],
    [
      'whole events',
      events('abc', 'de', 'fghi'),
      0,
      { text: 'abcde', firstEvent: 4, lastEvent: 5, next: { event: 6, offset: 0 } },
    ],
    [
      'a part of a large one',
      events('abcdefgh', 'i'),
      0,
      { text: 'abcdef', firstEvent: 4, lastEvent: 4, next: { event: 4, offset: 6 } },
    ],
    [
      'the rest of it',
      events('abcdefgh', 'i'),
      6,
      { text: 'ghi', firstEvent: 4, lastEvent: 5, next: null },
    ],
    [
      'behind its end',
      events('ab', 'c'),
      9,
      { text: 'c', firstEvent: 4, lastEvent: 5, next: null },
    ],
  ])('%s', (_, given, offset, expected) => {
    expect(logWindow(given, offset, 6)).toEqual(expected);
  });

  it('windows one after another are the whole log', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 40 })), (texts) => {
        const all = texts.map((text, index) => ({ seq: index + 1, text }));
        let read = '';
        let next: { event: number; offset: number } | null = { event: 1, offset: 0 };
        for (let steps = 0; next !== null; steps += 1) {
          const { event, offset }: { event: number; offset: number } = next;
          const window = logWindow(all.slice(event - 1), offset, 12);
          expect(window.text.length).toBeLessThanOrEqual(12);
          read += window.text;
          next = window.next;
          expect(steps).toBeLessThan(2_000);
        }
        expect(read).toBe(texts.join(''));
      }),
    );
  });
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineDifference } from './line-difference';

const shown = (before: string, after: string) =>
  lineDifference(before, after).map(
    ({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`,
  );

it.each([
  ['a\nb', 'a\nb', [' a', ' b']],
  ['a\nb\nc', 'a\nc', [' a', '-b', ' c']],
  ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['a', 'b', ['-a', '+b']],
])('%j to %j', (before, after, lines) => {
  expect(shown(before, after)).toEqual(lines);
});

it('gives both texts back', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const lines = lineDifference(one.join('\n'), other.join('\n'));
      const without = (kind: string) => lines.filter((line) => line.kind !== kind);
      expect(
        without('added')
          .map((line) => line.text)
          .join('\n'),
      ).toBe(one.join('\n'));
      expect(
        without('removed')
          .map((line) => line.text)
          .join('\n'),
      ).toBe(other.join('\n'));
    }),
  );
});

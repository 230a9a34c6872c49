import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DiffWords, textDifference } from './text-difference';

const MARKS = { same: (text: string) => text, removed: del, added: ins };
function del(text: string) {
  return `[-${text}-]`;
}
function ins(text: string) {
  return `{+${text}+}`;
}

const shown = (before: string, after: string) =>
  textDifference(before, after).map((line) =>
    line.kind === 'changed'
      ? `~${line.words.map(({ kind, text }) => MARKS[kind](text)).join('')}`
      : `${{ same: ' ', removed: '-', added: '+' }[line.kind]}${line.text}`,
  );

it.each([
  ['a\nb', 'a\nb', [' a', ' b']],
  ['a\nb\nc', 'a\nc', [' a', '-b', ' c']],
  ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['a', 'b', ['-a', '+b']],
  ['', 'a', ['-', '+a']],
  [
    'Look at the disks first.',
    'Look at the memory first.',
    ['~Look at the [-disks-]{+memory+} first.'],
  ],
  ['Restart it  once.', 'Restart it once.', ['~Restart it[-  -]{+ +}once.']],
  // A line before the changed one is a line of its own.
  [
    'Look at the disks first.\nEnd.',
    'Be quick.\nLook at all the disks first.\nEnd.',
    ['+Be quick.', '~Look at {+all +}the disks first.', ' End.'],
  ],
  // What has next to nothing in common is not read as one line.
  [
    'Check every service.',
    'Never touch the database.',
    ['-Check every service.', '+Never touch the database.'],
  ],
])('%j to %j', (before, after, lines) => {
  expect(shown(before, after)).toEqual(lines);
});

it('gives both texts back', () => {
  const words = fc.array(fc.constantFrom('disk', 'is', 'full', '.', ' ', '  '), { maxLength: 8 });
  const text = fc
    .array(
      words.map((line) => line.join('')),
      { minLength: 1, maxLength: 12 },
    )
    .map((lines) => lines.join('\n'));
  const side = (lines: ReturnType<typeof textDifference>, dropped: DiffWords['kind']) =>
    lines
      .filter((line) => line.kind !== dropped)
      .map((line) =>
        line.kind === 'changed'
          ? line.words
              .filter(({ kind }) => kind !== dropped)
              .map((word) => word.text)
              .join('')
          : line.text,
      )
      .join('\n');
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = textDifference(before, after);
      expect(side(lines, 'added')).toBe(before);
      expect(side(lines, 'removed')).toBe(after);
    }),
  );
});

it('two texts that have nothing in common are one taken out and one put in', () => {
  const words = (of: string) => Array.from({ length: 8_000 }, (_, n) => `${of}${n}`);
  expect(textDifference(words('a').join(' '), words('b').join(' '))).toEqual([
    { kind: 'removed', text: words('a').join(' ') },
    { kind: 'added', text: words('b').join(' ') },
  ]);
  const lines = textDifference(words('a').join('\n'), words('b').join('\n'));
  expect(lines).toHaveLength(16_000);
  expect(lines[0]).toEqual({ kind: 'removed', text: 'a0' });
  expect(lines.at(-1)).toEqual({ kind: 'added', text: 'b7999' });
});

import { expect, it } from 'vitest';
import { createLineReader } from './line-reader';

function read(chunks: (string | Buffer)[], maxBytes = 8) {
  const lines: [string, number][] = [];
  const reader = createLineReader(maxBytes, (line, cutBytes) => lines.push([line, cutBytes]));
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return lines;
}

it.each<[string, (string | Buffer)[], [string, number][]]>([
  [
    'two lines in one chunk',
    ['ab\ncd\n'],
    [
      ['ab', 0],
      ['cd', 0],
    ],
  ],
  [
    'a line over three chunks',
    ['a', 'b', 'c\nd\n'],
    [
      ['abc', 0],
      ['d', 0],
    ],
  ],
  [
    'an end without a newline',
    ['ab\ncd'],
    [
      ['ab', 0],
      ['cd', 0],
    ],
  ],
  [
    'empty lines',
    ['\n\n'],
    [
      ['', 0],
      ['', 0],
    ],
  ],
  ['a carriage return', ['ab\r\n'], [['ab', 0]]],
  ['exactly the most', ['12345678\n'], [['12345678', 0]]],
  [
    'one byte too many',
    ['123456789\nab\n'],
    [
      ['12345678', 1],
      ['ab', 0],
    ],
  ],
  [
    'a long line over chunks',
    ['123456', '789012', '3\nab\n'],
    [
      ['12345678', 5],
      ['ab', 0],
    ],
  ],
  ['a long line at the end', ['123456789012'], [['12345678', 4]]],
  [
    'a character over two chunks',
    [Buffer.from('é').subarray(0, 1), Buffer.from('é\n').subarray(1)],
    [['é', 0]],
  ],
  ['a character that the cut would split', ['1234567é\n'], [['1234567', 2]]],
  ['a whole character before the cut', ['123456éx\n'], [['123456', 3]]],
])('reads %s', (_what, chunks, expected) => {
  expect(read(chunks)).toEqual(expected);
});

it('keeps no more of a 20 MB line than it was told', () => {
  const chunk = 'x'.repeat(65_536);
  const lines = read([...Array.from({ length: 320 }, () => chunk), '\nab\n'], 1_000);
  expect(lines).toEqual([
    ['x'.repeat(1_000), 65_536 * 320 - 1_000],
    ['ab', 0],
  ]);
});

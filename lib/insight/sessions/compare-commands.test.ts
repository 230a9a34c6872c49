import { expect, it } from 'vitest';
import { compareCommands } from './compare-commands';

it.each([
  ['nothing', [], [], []],
  ['the same', ['a', 'a'], ['a'], [['a', 2, 1]]],
  [
    'those of one session first, in their order',
    ['shared', 'old', 'older'],
    ['new', 'shared'],
    [
      ['old', 1, 0],
      ['older', 1, 0],
      ['new', 0, 1],
      ['shared', 1, 1],
    ],
  ],
])('compares %s', (_what, first, second, rows) => {
  const found = compareCommands(first, second).map(({ command, counts }) => [command, ...counts]);
  expect(found).toEqual(rows);
});

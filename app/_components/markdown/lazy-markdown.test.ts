import { expect, it } from 'vitest';
import { steadyMarkdown } from './lazy-markdown';

it.each([
  ['bold from its first word on', 'It is **full ', 'It is **full**'],
  ['slanted words from the first on', 'A\n\n_This is ', 'A\n\n_This is_'],
  ['struck words from the first on', 'It is ~~not ', 'It is ~~not~~'],
  ['underscores in words as they are', 'See log_file and disk_use ', 'See log_file and disk_use '],
  ['a sum as it is', 'It is 2 * 3 * 4 ', 'It is 2 * 3 * 4 '],
  ['no bold without a word', 'It is **', 'It is '],
  ['code from its first word on', 'Run `docker restart ', 'Run `docker restart`'],
  ['asterisks in code as they are', 'Run `a ** b` now ', 'Run `a ** b` now '],
  ['only the last line', 'A lone ** here.\nAnd this ', 'A lone ** here.\nAnd this '],
  ['no heading out of a bullet', 'It is so:\n- ', 'It is so:'],
  ['no number alone', 'First this:\n\n1. ', 'First this:\n'],
  ['a bullet with its word', 'It is so:\n- web ', 'It is so:\n- web '],
  ['no table before its first row', 'See:\n\n| a | b |\n| - | - |\n| 1 ', 'See:\n\n'],
  [
    'whole rows of a table',
    'See:\n\n| a | b |\n| - | - |\n| 1 | 2 |\n| 3 ',
    'See:\n\n| a | b |\n| - | - |\n| 1 | 2 |\n',
  ],
  ['what stands in a block of code', 'So:\n\n```\n**a\n- ', 'So:\n\n```\n**a\n- '],
  ['what stands behind one', '```\na\n```\n\nIt is **so ', '```\na\n```\n\nIt is **so**'],
  ['nothing', '', ''],
])('shows %s', (_what, written, shown) => {
  expect(steadyMarkdown(written)).toBe(shown);
});

import { expect, it } from 'vitest';
import { foldedArgv, shellCommand } from './started-command';

const schema = JSON.stringify({ type: 'object', description: 'x'.repeat(2_060) });
const argv = [
  'claude',
  '-p',
  '--json-schema',
  schema,
  '--model',
  'opus',
  '--allowedTools',
  'a b',
  'c',
];

it('gives a line to the program and to each flag, in the order of the start', () => {
  expect(foldedArgv(argv).map(({ flag, values }) => [flag, values])).toEqual([
    ['claude', ''],
    ['-p', ''],
    ['--json-schema', `'${schema}'`],
    ['--model', 'opus'],
    ['--allowedTools', "'a b' c"],
  ]);
});

it.each([
  ['a schema', ['c', '-p', '--json-schema', schema], 'schema, 2.1 kB'],
  ['a value of another flag', ['c', '-p', '--note', 'y'.repeat(301)], 'value, 301 bytes'],
  ['a value as long as is shown', ['c', '-p', '--note', 'y'.repeat(300)], null],
  ['characters of several bytes', ['c', '-p', '--note', `é`.repeat(600)], 'value, 1.2 kB'],
])('folds %s', (_what, words, folded) => {
  expect(foldedArgv(words).at(-1)?.folded).toBe(folded);
});

it('copies every word of the argv, folded or not', () => {
  expect(shellCommand(argv)).toBe(
    `claude -p --json-schema '${schema}' --model opus --allowedTools 'a b' c`,
  );
});

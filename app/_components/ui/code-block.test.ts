import { expect, it } from 'vitest';
import { argvLines, shellQuote } from './code-block';

it.each([
  ['docker', 'docker'],
  ['Bash(docker ps:*)', "'Bash(docker ps:*)'"],
  ["it's", `'it'\\''s'`],
  ['', "''"],
])('quotes %s as %s', (word, quoted) => {
  expect(shellQuote(word)).toBe(quoted);
});

it('puts each flag with its values on a line of its own', () => {
  expect(
    argvLines(['claude', '-p', '--tools', 'Bash,Read', '--allowedTools', 'Bash(ls:*)', 'Read']),
  ).toEqual(['claude', '-p', '--tools Bash,Read', `--allowedTools 'Bash(ls:*)' Read`]);
});

it('keeps arguments before the first flag on their own lines', () => {
  expect(argvLines(['node', 'cli.js', '-p'])).toEqual(['node', 'cli.js', '-p']);
});

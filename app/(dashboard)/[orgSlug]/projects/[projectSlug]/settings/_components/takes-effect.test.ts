import { expect, it } from 'vitest';
import { takesEffect } from './takes-effect';

it.each<[string[], string]>([
  [['config.maxTier'], 'takes effect from the next chain'],
  [['config.askAgents'], 'takes effect from the next turn of a conversation'],
  [
    ['name', 'config.askAgents'],
    'takes effect from the next chain, and the next turn of a conversation',
  ],
])('a change of %j %s', (paths, words) => {
  expect(takesEffect(paths.map((path) => ({ path })))).toBe(words);
});

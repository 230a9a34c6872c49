import { expect, it } from 'vitest';
import { matchOf } from './match';

const ENTRIES = {
  Spend: 'cost money ledger budget',
  'Thresholds and cooldowns': 'resume context checkpoints recovery',
  'Tiers and tools': 'model prompt rules bash',
  'Run a cycle': '',
};

/** Names of what fits, the best first. */
function found(typed: string): string[] {
  return Object.entries(ENTRIES)
    .map(([name, words]) => ({ name, worth: matchOf(typed, name, words) }))
    .filter(({ worth }) => worth > 0)
    .toSorted((one, other) => other.worth - one.worth)
    .map(({ name }) => name);
}

it.each([
  ['a word of its own before letters that merely follow on each other', 'money', 'Spend'],
  ['the beginning of a name', 'thre', 'Thresholds and cooldowns'],
  ['the beginning of another word', 'check', 'Thresholds and cooldowns'],
  ['two words in any order', 'tools tiers', 'Tiers and tools'],
  ['a part of a word', 'holds', 'Thresholds and cooldowns'],
  ['a slip of the finger', 'tresholds', 'Thresholds and cooldowns'],
])('finds by %s', (_what, typed, first) => {
  expect(found(typed)[0]).toBe(first);
});

it('finds all for nothing, and nothing for what is nowhere', () => {
  expect(found(' ')).toHaveLength(4);
  expect(found('zzzq')).toEqual([]);
});

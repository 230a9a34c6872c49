import { expect, it } from 'vitest';
import type { PaletteEntry } from './entry';
import { bestFirst } from './match';

const entry = (label: string, words = ''): PaletteEntry => ({
  key: label,
  label,
  words,
  act: { kind: 'keys' },
});

const GROUPS = [
  {
    heading: 'Project',
    entries: [
      entry('Thresholds and cooldowns', 'resume context checkpoints recovery'),
      entry('Tiers and tools', 'model prompt rules bash'),
    ],
  },
  { heading: 'Acts', entries: [entry('Run a chain'), entry('Spend', 'cost money ledger budget')] },
];

/** Names of what fits, the best first. */
const found = (typed: string) =>
  bestFirst(GROUPS, typed).flatMap(({ entries }) => entries.map(({ label }) => label));

it.each([
  ['a word of its own before letters that merely follow on each other', 'money', 'Spend'],
  ['the beginning of a name', 'thre', 'Thresholds and cooldowns'],
  ['the beginning of another word', 'check', 'Thresholds and cooldowns'],
  ['two words in any order', 'tools tiers', 'Tiers and tools'],
  ['a part of a word', 'holds', 'Thresholds and cooldowns'],
  ['a slip of the finger', 'tresholds', 'Thresholds and cooldowns'],
])('finds by %s', (_what, typed, first) => {
  expect(found(typed)).toEqual([first]);
});

it('puts a whole word of a name before the beginning of one', () => {
  const groups = [
    { heading: 'Go to', entries: [entry('Webhooks')] },
    { heading: 'Services', entries: [entry('web')] },
  ];
  const labels = bestFirst(groups, 'web').flatMap(({ entries }) =>
    entries.map(({ label }) => label),
  );
  expect(labels).toEqual(['web', 'Webhooks']);
});

it('finds all for nothing, and nothing for what is nowhere', () => {
  expect(bestFirst(GROUPS, ' ')).toEqual(GROUPS);
  expect(bestFirst(GROUPS, 'zzzq')).toEqual([]);
});

it('puts the group of the best first, and in it the best', () => {
  const [first, ...others] = bestFirst(GROUPS, 'cha');
  expect(first?.heading).toBe('Acts');
  expect(others).toEqual([]);
  expect(found('re')).toEqual(['Thresholds and cooldowns']);
});

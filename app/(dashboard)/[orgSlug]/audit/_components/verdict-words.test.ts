import { expect, it } from 'vitest';
import { verdictWords } from './verdict-words';

const intact = {
  checked: 18_204,
  firstBad: null,
  headMatches: true,
  isIntact: true,
  verifiedUpTo: 18_204,
  checkedAt: '2026-11-21T14:00:00.000Z',
};

it.each([
  ['Verified up to entry 18,204: 18,204 entries, 0 gaps.', intact],
  ['Verified up to entry 1: 1 entry, 0 gaps.', { ...intact, checked: 1, verifiedUpTo: 1 }],
  [
    'Verified up to entry 17,910. Entry 17,911 doesn’t fit: it, or one before it, was changed or removed in the database. Entries from there on can’t be trusted.',
    { ...intact, firstBad: 17_911, verifiedUpTo: 17_910, isIntact: false },
  ],
  [
    'No entry could be verified. Entry 1 doesn’t fit: it, or one before it, was changed or removed in the database. Entries from there on can’t be trusted.',
    { ...intact, firstBad: 1, verifiedUpTo: 0, isIntact: false },
  ],
  [
    'Verified up to entry 18,204, but that isn’t the one that was written last. The newest entries were removed from the database.',
    { ...intact, headMatches: false, isIntact: false },
  ],
])('[SAS-6.1] %s', (words, verdict) => {
  expect(verdictWords(verdict)).toBe(words);
});

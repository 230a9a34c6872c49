import { expect, it } from 'vitest';
import { verdictWords } from './verdict-words';

const intact = { checked: 18_204, firstBad: null, headMatches: true, isIntact: true };

it.each([
  ['Verified 18,204 entries, 0 gaps.', intact],
  ['Verified 1 entry, 0 gaps.', { ...intact, checked: 1 }],
  [
    'Entry 17,911 doesn’t match its hash. Entries from there on can’t be trusted: somebody changed or removed rows in the database.',
    { ...intact, firstBad: 17_911, isIntact: false },
  ],
  [
    'The last of 18,204 entries isn’t the one that was written last. The newest entries were removed from the database.',
    { ...intact, headMatches: false, isIntact: false },
  ],
])('%s', (words, verdict) => {
  expect(verdictWords(verdict)).toBe(words);
});

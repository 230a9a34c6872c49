import { expect, it } from 'vitest';
import { verdictWords } from './verify-audit';

const anchor = {
  state: 'matches' as const,
  seq: 18_000,
  at: '2026-11-21T13:45:00.000Z',
  since: '2026-11-01T08:00:00.000Z',
  isMissing: false,
  publicKey: 'key',
};
const intact = {
  status: 'intact' as const,
  anchor,
  checked: 18_204,
  firstBad: null,
  headMatches: true,
  isIntact: true,
  verifiedUpTo: 18_204,
  checkedAt: '2026-11-21T14:00:00.000Z',
};

it.each([
  [
    'Verified up to entry 18,204: 18,204 entries, 0 gaps. The log matches its signed anchors, the newest at entry 18,000. They begin on 2026-11-01 08:00 UTC.',
    intact,
  ],
  [
    'Verified up to entry 1: 1 entry, 0 gaps. The log matches its signed anchors, the newest at entry 18,000. They begin on 2026-11-01 08:00 UTC.',
    { ...intact, checked: 1, verifiedUpTo: 1 },
  ],
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
  [
    'Verified up to entry 18,204: 18,204 entries, 0 gaps. There is no anchor to compare the log with. Someone with the database could have computed all hashes again. This check has written the first one. If there were anchors before, ask the operator where they went.',
    {
      ...intact,
      status: 'unknown' as const,
      isIntact: false,
      anchor: { ...anchor, state: 'missing' as const, seq: null, at: null, since: null },
    },
  ],
  [
    'Entry 18,000, which a signed anchor names, is gone. It happened after 2026-11-21 13:45 UTC. Entries up to 17,900 are unchanged. Restore the rest from a backup, and find out who has the database owner’s login.',
    {
      ...intact,
      status: 'changed' as const,
      isIntact: false,
      verifiedUpTo: 17_900,
      anchor: { ...anchor, state: 'differs' as const, isMissing: true },
    },
  ],
])('[SAS-6.1] [SEC-4.2] %s', (words, verdict) => {
  expect(verdictWords(verdict)).toBe(words);
});

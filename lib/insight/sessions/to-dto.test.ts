import { expect, it } from 'vitest';
import { attemptSealOf } from './to-dto';

const NOW = new Date('2026-11-27T12:00:00Z');
const LATER = new Date('2026-11-28T12:00:00Z');
const SEAL = { bytes: 40_000, storedBytes: 9_000, expiresAt: LATER, fault: null };
const ended = { status: 'ended', sealRefusal: null, seals: [] };

it.each<[string | undefined, Parameters<typeof attemptSealOf>[0]]>([
  [undefined, { ...ended, status: 'running' }],
  ['none', ended],
  ['secrets', { ...ended, sealRefusal: 'secrets' }],
  ['too_large', { ...ended, sealRefusal: 'too_large' }],
  ['damaged', { ...ended, seals: [{ ...SEAL, fault: 'damaged' }] }],
  ['missing', { ...ended, seals: [{ ...SEAL, fault: 'missing' }] }],
  ['expired', { ...ended, seals: [{ ...SEAL, expiresAt: NOW }] }],
])('[FLT-4.1] a copy is %s', (state, row) => {
  expect(attemptSealOf(row, NOW)?.state).toBe(state);
});

it('[FLT-4.1] a copy that is kept has its sizes and its end', () => {
  expect(attemptSealOf({ ...ended, seals: [SEAL] }, NOW)).toEqual({
    state: 'kept',
    bytes: 40_000,
    storedBytes: 9_000,
    keptUntil: LATER.toISOString(),
  });
});

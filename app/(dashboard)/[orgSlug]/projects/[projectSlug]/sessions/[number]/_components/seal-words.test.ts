import { expect, it } from 'vitest';
import type { AttemptSeal } from '@/lib/insight/sessions/schema';
import { sealWords } from './seal-words';

const kept = (bytes: number | null, storedBytes: number | null): AttemptSeal => ({
  state: 'kept',
  bytes,
  storedBytes,
  keptUntil: '2026-11-28T12:00:00.000Z',
});

it.each<[string, AttemptSeal | null]>([
  ['—', null],
  ['40 kB, 900 B stored', kept(40_000, 900)],
  ['1.5 MB, 210 kB stored', kept(1_500_000, 210_400)],
  ['unknown size, unknown size stored', kept(null, null)],
  ['None has arrived', { ...kept(null, null), state: 'none' }],
  ['Not kept: it is too large', { ...kept(null, null), state: 'too_large' }],
])('[FLT-4.1] %s', (words, seal) => {
  expect(sealWords(seal)).toBe(words);
});

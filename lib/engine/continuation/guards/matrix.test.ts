import { expect, it } from 'vitest';
import { TIER_POINTER } from '@/tests/support/resume-facts';
import { GUARDS, RUNNER_CHECKS } from './matrix';

it('[SAS-3.3] evaluates the guards in this order: effects before anything that starts a process', () => {
  expect(GUARDS.map(({ id }) => id).join(' ')).toBe(
    'G0 G1 G2 G23 G5 G6 G3 G4 G7 G8 G9 G24 G10 G11 G12 G13 G14 G15 G18 G16 G19 G20 G22',
  );
});

it.each<[string, string, Partial<typeof TIER_POINTER>]>([
  ['R1', 'work_dir_changed', { workDirInode: null }],
  ['R2', 'transcript_changed', { transcript: null }],
])('%s ends as %s, and compares only what the runner reported', (id, end, unreported) => {
  const check = RUNNER_CHECKS.find((one) => one.id === id);
  expect(check?.end).toBe(end);
  expect(check?.isKnown(TIER_POINTER)).toBe(true);
  expect(check?.isKnown({ ...TIER_POINTER, ...unreported })).toBe(false);
});

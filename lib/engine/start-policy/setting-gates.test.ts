import { expect, it } from 'vitest';
import { expectClosed, gateOf, WINDOW } from '@/tests/support/closed-gates';
import type { StartFacts } from './facts';
import { type GateCode, refusalText } from './gate';

it.each<[GateCode, string]>([
  ['MAINTENANCE', 'the maintenance window “Patching” is open until 2026-11-21 15:00 UTC'],
  ['MAX_TIER', 'tier 2 is above the maximum for Checkout, which is tier 1'],
  ['TIER_DISABLED', 'tier 2 is turned off for Checkout'],
  ['DRY_RUN', 'Checkout is in dry run, in which no tier above 1 starts'],
])('[ENG-1.3] %s: %s', expectClosed);

it.each<[string, Partial<StartFacts>]>([
  [
    'a window that lets tier 1 look',
    { tier: 1, services: [], maintenance: { ...WINDOW, effect: 'observe_only' } },
  ],
  ['dry run, for tier 1', { tier: 1, services: [], isDryRun: true }],
])('is not held by %s', (_what, facts) => {
  expect(gateOf(facts)).toBeNull();
});

it('says what to do about a window in which no chain starts', () => {
  const gate = gateOf({ maintenance: { ...WINDOW, effect: 'no_cycles' } });
  expect(gate && refusalText(gate)).toBe(
    'The maintenance window “Patching” is open until 2026-11-21 15:00 UTC. Wait until the window closes, or change it in the settings.',
  );
});

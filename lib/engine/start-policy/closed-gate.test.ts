import { describe, expect, it } from 'vitest';
import { CLOSED_BY, expectClosed, gateOf, SPENT, USED, WINDOW } from '@/tests/support/closed-gates';
import type { StartFacts } from './facts';
import { GATE_CODES, type GateCode, refusalText } from './gate';

describe('the start policy', () => {
  it('lets work start that nothing holds', () => {
    expect(gateOf({})).toBeNull();
  });

  it('[ENG-1.3] states for every gate as what waiting work is stored', () => {
    const stored = GATE_CODES.map((code) => [code, gateOf(CLOSED_BY[code])?.waitReason]);
    expect(stored.filter(([, reason]) => reason !== null)).toEqual([
      ['PAUSED', 'pause'],
      ['MAINTENANCE', 'maintenance'],
      ['BUDGET', 'budget'],
      ['CONFINED_ELSEWHERE', 'isolation'],
      ['CANARY_PENDING', 'canary'],
      ['CANARY_FAILED', 'canary'],
      ['APPROVAL', 'approval'],
    ]);
  });

  it('[ENG-1.3] has an example for every gate', () => {
    expect(Object.keys(CLOSED_BY)).toEqual([...GATE_CODES]);
  });

  const pairs = GATE_CODES.flatMap((first, index) =>
    GATE_CODES.slice(index + 1).map((second): [GateCode, GateCode] => [first, second]),
  );
  it.each(pairs)('[ENG-1.3] names %s before %s', (first, second) => {
    expect(gateOf({ ...CLOSED_BY[second], ...CLOSED_BY[first] })?.code).toBe(first);
  });
});

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

it.each<[GateCode, string]>([
  ['CHAIN_RUNNING', 'Chain #7 is still running'],
  ['BUDGET', "Checkout reached today's budget of $10.00"],
  ['COOLDOWN', 'web was restarted twice in the last 4h. The next restart is allowed at 15:00 UTC'],
])('[ENG-1.3] %s: %s', expectClosed);

it.each<[string, Partial<StartFacts>]>([
  ['a budget with something left', { budgets: [{ ...SPENT, spentMicros: 9_999_999 }] }],
  ['a cooldown of one of two services', { services: ['web', 'api'], cooldowns: [USED] }],
  ['a cooldown of restarts, for tier 3', { tier: 3, cooldowns: [USED] }],
  ['a cooldown with one action left', { cooldowns: [{ ...USED, used: 1 }] }],
  ['a cooldown of a service that is not affected', { services: [], cooldowns: [USED] }],
  ['a cooldown, for tier 1', { tier: 1, cooldowns: [USED] }],
])('is not held by %s', (_what, facts) => {
  expect(gateOf(facts)).toBeNull();
});

it('says what to do about a budget', () => {
  const gate = gateOf({ budgets: [SPENT] });
  expect(gate && refusalText(gate)).toBe(
    "Checkout reached today's budget of $10.00. New chains start tomorrow 00:00 UTC, or when you raise the budget.",
  );
});

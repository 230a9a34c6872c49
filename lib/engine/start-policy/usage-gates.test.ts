import { expect, it } from 'vitest';
import { expectClosed, gateOf, SPENT, USED } from '@/tests/support/closed-gates';
import type { StartFacts } from './facts';
import { type GateCode, refusalText } from './gate';

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

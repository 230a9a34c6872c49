import { expect, it } from 'vitest';
import { expectClosed, gateOf, NOW } from '@/tests/support/closed-gates';
import { type GateCode, refusalText } from './gate';
import { PROOF_WAIT_MINUTES, proofDueAt } from './host-gates';

it.each<[GateCode, string]>([
  ['NO_POOL', 'there is no runner pool named eu'],
  ['NOT_CONFINED', 'tier 2 requires isolation, and runner r1 can’t confine agents'],
  [
    'CANARY_PENDING',
    'Claude Code 2.1.330 on runner r1 hasn’t proven yet that it refuses forbidden commands',
  ],
  ['CANARY_FAILED', 'the canary of Claude Code 2.1.330 failed on runner r1 (It ran a command)'],
])('[ENG-1.3] %s: %s', expectClosed);

it('says what to do about a runner that is too old to prove anything', () => {
  const gate = gateOf({
    unproven: {
      runner: 'r1',
      agent: 'Claude Code 2.1.330',
      detail: 'The runner is too old to test it.',
      isRunnerTooOld: true,
    },
  });
  expect(gate && refusalText(gate)).toBe(
    'The version of runner r1 is too old to prove that Claude Code 2.1.330 refuses forbidden commands. Update the runner, or connect another one.',
  );
});

it('[BND-5.3] waits for a canary for a limited time', () => {
  expect(proofDueAt(NOW).getTime() - NOW.getTime()).toBe(PROOF_WAIT_MINUTES * 60_000);
});

import { expect, it } from 'vitest';
import { expectClosed, gateOf, NOW, UNCONFINED } from '@/tests/support/closed-gates';
import type { HostWait } from '../statuses';
import { type GateCode, refusalText } from './gate';
import { hostDueAt, ISOLATION_WAIT_MINUTES, PROOF_WAIT_MINUTES } from './host-gates';

it.each<[GateCode, string]>([
  ['NO_POOL', 'there is no runner pool named eu'],
  [
    'CONFINED_ELSEWHERE',
    'this project is confined, and tier 2 has to start on runner r2 or r3, because runner r1 can’t confine agents',
  ],
  ['NOT_CONFINED', 'this project is confined, and runner r1 can’t confine agents'],
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

it('[BND-5.3] [BND-1.3] waits for a host for a limited time', () => {
  const minutes = (wait: HostWait) => (hostDueAt(wait, NOW).getTime() - NOW.getTime()) / 60_000;
  expect(minutes('canary')).toBe(PROOF_WAIT_MINUTES);
  expect(minutes('isolation')).toBe(ISOLATION_WAIT_MINUTES);
});

it('[BND-1.3] says what kept other hosts from it, and what to do about this one', () => {
  const others = 'Others of its pool can confine agents, but r2 is offline.';
  const gate = gateOf({ unconfined: { ...UNCONFINED, others } });
  expect(gate).toMatchObject({
    code: 'NOT_CONFINED',
    ends: 'person',
    remedy: `${others} It is too old. Update it.`,
  });
});

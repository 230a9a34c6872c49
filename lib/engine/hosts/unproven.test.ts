import { describe, expect, it } from 'vitest';
import type { Canary } from '@/lib/protocol/canary';
import type { Isolation } from '@/lib/protocol/confinement';
import type { Tier } from '@/lib/protocol/spec';
import { TEST_POSTURE } from '@/tests/support/cast/posture';
import { unprovenFact } from './unproven';

function fact(
  canaries: Canary[] | undefined,
  start: { tier?: Tier; isolation?: Isolation } = {},
  harness = 'claude',
) {
  const posture = {
    ...TEST_POSTURE,
    harnesses: TEST_POSTURE.harnesses.map((each) => ({
      ...each,
      canaries: each.name === 'claude' ? canaries : undefined,
    })),
  };
  const { tier = 2, isolation = 'open' } = start;
  return unprovenFact(tier, isolation, harness, { name: 'eu-1', posture });
}

const canary = (mode: Canary['mode'], state: Canary['state']): Canary => ({
  mode,
  state,
  detail: state === 'failed' ? 'It ran it.' : null,
});

describe('[BND-5.3] what an agent has still to prove on a host', () => {
  it.each([
    ['nothing once it has', [canary('open', 'passed')], {}, null],
    ['that it refuses, while the canary runs', [canary('open', 'pending')], {}, 'pending'],
    ['that it refuses, after it failed', [canary('open', 'failed')], {}, 'It ran it.'],
    ['nothing for tier 1', [canary('open', 'failed')], { tier: 1 }, null],
    ['everything, on a runner from before canaries', undefined, {}, 'too old'],
    ['nothing for tier 1 there', undefined, { tier: 1 }, null],
    ['nothing while its runner finds no program', [], {}, null],
    [
      'nothing about another way to start',
      [canary('confined', 'failed'), canary('open', 'passed')],
      {},
      null,
    ],
    [
      'the sandbox, in a confined project',
      [canary('confined', 'failed'), canary('open', 'passed')],
      { isolation: 'confined' },
      'It ran it.',
    ],
  ] as const)('%s', (_what, canaries, start, expected) => {
    const found = fact(canaries && [...canaries], start);
    const isTooOld = found?.isRunnerTooOld === true;
    expect(isTooOld ? 'too old' : found && (found.detail ?? 'pending')).toBe(expected);
  });

  it('is nothing of an agent without a model', () => {
    expect(fact(undefined, {}, 'demo')).toBeNull();
  });

  it('names runner, agent and version', () => {
    expect(fact([canary('open', 'failed')])).toEqual({
      runner: 'eu-1',
      agent: 'Claude Code 2.1.197',
      detail: 'It ran it.',
    });
  });
});

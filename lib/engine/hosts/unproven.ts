import { agentLabel, findAgent } from '@/lib/agents/registry';
import { canaryOf, cliVersionOf, testsCanaries } from '@/lib/fleet/posture';
import type { Isolation } from '@/lib/protocol/confinement';
import type { Tier } from '@/lib/protocol/spec';
import type { UnprovenFact } from '../start-policy/facts';

/**
 * Returns why a tier above 1 must not start on a runner yet: the agent there has not proven, in its
 * version, that it refuses forbidden commands. Null if it has, or can't be tested. A runner from
 * before canaries proves nothing.
 */
export function unprovenFact(
  tier: Tier,
  isolation: Isolation,
  harness: string,
  runner: { name: string; posture: unknown },
): UnprovenFact | null {
  if (tier === 1) return null;
  const about = {
    runner: runner.name,
    agent: `${agentLabel(harness)} ${cliVersionOf(runner.posture, harness) ?? ''}`.trim(),
  };
  if (findAgent(harness)?.canBeProven && !testsCanaries(runner.posture, harness)) {
    return { ...about, detail: 'The runner is too old to test it.', isRunnerTooOld: true };
  }
  const canary = canaryOf(runner.posture, harness, isolation);
  if (canary === null || canary.state === 'passed') return null;
  return {
    ...about,
    detail: canary.state === 'failed' ? (canary.detail ?? 'It failed.') : null,
  };
}

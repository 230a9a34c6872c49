import { agentLabel, findAgent } from '@/lib/agents/registry';
import { canaryOf, cliVersionOf, testsCanaries } from '@/lib/fleet/posture';
import type { TierPolicy } from '@/lib/projects/schema';
import type { UnprovenFact } from '../start-policy/facts';

/**
 * Returns why a tier above 1 must not start on a runner yet: the agent there has not proven, in its
 * version, that it refuses forbidden commands. Null if it has, or can't be tested. A runner from
 * before canaries proves nothing.
 */
export function unprovenFact(
  policy: Pick<TierPolicy, 'tier' | 'isolation'>,
  harness: string,
  runner: { name: string; posture: unknown },
): UnprovenFact | null {
  if (policy.tier === 1) return null;
  const about = {
    runner: runner.name,
    agent: `${agentLabel(harness)} ${cliVersionOf(runner.posture, harness) ?? ''}`.trim(),
  };
  if (findAgent(harness)?.canBeProven && !testsCanaries(runner.posture, harness)) {
    return { ...about, detail: 'The runner is too old to test it.', isRunnerTooOld: true };
  }
  const canary = canaryOf(runner.posture, harness, policy.isolation);
  if (canary === null || canary.state === 'passed') return null;
  return {
    ...about,
    detail: canary.state === 'failed' ? (canary.detail ?? 'It failed.') : null,
  };
}

import { confinementProblem } from '@/lib/fleet/confinement';
import { confinementOf } from '@/lib/fleet/posture';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { Tier } from '@/lib/protocol/spec';
import type { UnconfinedFact } from './start-policy/facts';

/**
 * Returns why a runner can't confine an agent that one of the configurations wants confined; null if
 * nothing is missing. A runner that doesn't know about isolation would run the agent without it.
 */
export function unconfinedFact(
  configs: readonly Pick<ProjectConfig, 'tiers'>[],
  tier: Tier,
  runner: { name: string; posture: unknown },
): UnconfinedFact | null {
  const isRequired = configs.some(({ tiers }) => tiers[tier - 1]?.isolation === 'required');
  const problem = isRequired ? confinementProblem(confinementOf(runner.posture)) : null;
  return problem && { runner: runner.name, why: problem.why, fix: problem.fix };
}

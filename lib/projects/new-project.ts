import type { Isolation } from '@/lib/protocol/confinement';
import type { Tier } from '@/lib/protocol/spec';
import { DEFAULT_CONFIG } from './default-config';
import { defaultRules } from './default-rules';
import type { ProjectConfig, TierPolicy } from './schema';

/** The isolation that a request sets for tiers, if it does. */
type ChosenIsolation = readonly { tier: Tier; isolation?: Isolation | undefined }[];

/**
 * Returns the configuration that a new project begins with, before its own settings. Tiers 2 and 3
 * require isolation if the pool can confine agents. A tier that requires it, for this reason or because
 * the request says so, has the default rules for agents in a sandbox.
 *
 * @param canConfine whether the project's pool has a runner that can confine agents
 * @param chosen overrides the default isolation
 */
export function newProjectConfig(canConfine: boolean, chosen: ChosenIsolation = []): ProjectConfig {
  const withIsolation = (policy: TierPolicy): TierPolicy => {
    const own = chosen.find(({ tier }) => tier === policy.tier)?.isolation;
    const isolation = own ?? isolationOfNewTier(policy.tier, canConfine);
    return { ...policy, isolation, ...defaultRules(policy.tier, isolation) };
  };
  const [one, two, three] = DEFAULT_CONFIG.tiers;
  return {
    ...DEFAULT_CONFIG,
    tiers: [withIsolation(one), withIsolation(two), withIsolation(three)],
  };
}

/** Returns the isolation of a new project's tier for which nobody chose one. */
export function isolationOfNewTier(tier: Tier, canConfine: boolean): Isolation {
  return tier > 1 && canConfine ? 'required' : 'off';
}

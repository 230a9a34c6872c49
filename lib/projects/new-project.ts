import type { Isolation } from '@/lib/protocol/confinement';
import { DEFAULT_CONFIG } from './default-config';
import { defaultRules } from './default-rules';
import type { ProjectConfig, TierPolicy } from './schema';

/** Returns how a new project's agents run if nobody chooses: confined wherever its pool can. */
export function newProjectIsolation(canConfine: boolean): Isolation {
  return canConfine ? 'confined' : 'open';
}

/** Returns the configuration that a new project begins with, before its own settings. */
export function newProjectConfig(isolation: Isolation): ProjectConfig {
  const withRules = (policy: TierPolicy): TierPolicy => ({
    ...policy,
    ...defaultRules(policy.tier, isolation),
  });
  const [one, two, three] = DEFAULT_CONFIG.tiers;
  return {
    ...DEFAULT_CONFIG,
    isolation,
    tiers: [withRules(one), withRules(two), withRules(three)],
  };
}

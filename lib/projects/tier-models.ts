import type { HarnessName } from '@/lib/protocol/spec';
import type { ProjectConfig } from './schema';

/** Models of tier 1, 2 and 3. */
export type TierModels = readonly [string, string, string];

/** An agent's default models of tiers. Callers pass it, since they know the agents. */
export type TierModelsOf = (harness: HarnessName) => TierModels;

/**
 * Returns a configuration for another agent, whose tiers have that agent's models. A context window
 * belongs to a model, so it is dropped with it.
 */
export function withAgent<Config extends Pick<ProjectConfig, 'harness' | 'tiers'>>(
  config: Config,
  harness: HarnessName,
  models: TierModels,
): Config {
  if (harness === config.harness) return config;
  const tiers = config.tiers.map((policy) => {
    const model = models[policy.tier - 1] ?? models[0];
    return model === policy.model ? policy : { ...policy, model, contextWindow: null };
  }) as ProjectConfig['tiers'];
  return { ...config, harness, tiers };
}

import type { z } from 'zod';
import type { Isolation } from '@/lib/protocol/confinement';
import { defaultRules } from './default-rules';
import { DEFAULT_TIERS } from './default-tiers';
import { NEW_MONITORING } from './monitoring-settings';
import { type ProjectConfig, projectConfigSchema, type TierPolicy } from './schema';

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

/**
 * What a new project is until someone says otherwise: its checks run every minute without an agent, which
 * looks when one begins to fail, and twice a day. It observes, and no more. Settings that are missing here
 * have their default in the schema. That of a stored configuration without `monitoring` is off.
 */
export const DEFAULT_CONFIG: ProjectConfig = projectConfigSchema.parse({
  harness: 'claude',
  services: [],
  monitoring: NEW_MONITORING,
  isolation: 'open',
  schedule: { kind: 'interval', everySeconds: 43_200, timeZone: 'UTC' },
  tiers: DEFAULT_TIERS,
  maxTier: 1,
  dryRun: false,
  contextThreshold: 0.8,
  continuation: { tier1To2: 'resume', tier2To3: 'resume' },
  cooldowns: [
    { action: 'restart', limit: 2, windowSeconds: 4 * 3_600 },
    { action: 'redeploy', limit: 1, windowSeconds: 24 * 3_600 },
  ],
  budgets: { chainUsd: 25, dayUsd: 50, monthUsd: 500 },
  runnerPool: 'default',
} satisfies z.input<typeof projectConfigSchema>);

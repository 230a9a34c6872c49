import type { z } from 'zod';
import { DEFAULT_TIERS } from './default-tiers';
import { type ProjectConfig, projectConfigSchema } from './schema';

/**
 * What a new project is until someone says otherwise: it observes every ten minutes, and no more.
 * Settings that are missing here have their default in the schema.
 */
export const DEFAULT_CONFIG: ProjectConfig = projectConfigSchema.parse({
  harness: 'claude',
  services: [],
  schedule: { kind: 'interval', everySeconds: 600, timeZone: 'UTC' },
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

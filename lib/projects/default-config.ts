import { DEFAULT_CHECKPOINTS } from './checkpoint-settings';
import { DEFAULT_TIERS } from './default-tiers';
import type { ProjectConfig } from './schema';

/** What a new project is until someone says otherwise: it observes every ten minutes, and no more. */
export const DEFAULT_CONFIG: ProjectConfig = {
  harness: 'claude',
  services: [],
  schedule: { kind: 'interval', everySeconds: 600, timeZone: 'UTC' },
  tiers: DEFAULT_TIERS,
  maxTier: 1,
  dryRun: false,
  contextThreshold: 0.8,
  maxRereadTokens: null,
  continuation: { tier1To2: 'resume', tier2To3: 'resume' },
  unprovenModels: 'resume',
  cooldowns: [
    { action: 'restart', limit: 2, windowSeconds: 4 * 3_600 },
    { action: 'redeploy', limit: 1, windowSeconds: 24 * 3_600 },
  ],
  budgets: { chainUsd: 25, dayUsd: 50, monthUsd: 500 },
  maintenance: [],
  checkpoints: DEFAULT_CHECKPOINTS,
  askAgents: [],
  instructions: '',
  runnerPool: 'default',
  secrets: [],
};

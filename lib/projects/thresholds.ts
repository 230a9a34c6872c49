import type { ProjectConfig } from './schema';

/** What a limit is of. */
export const THRESHOLD_KINDS = [
  'context_share',
  'reread_tokens',
  'attempt_usd',
  'chain_usd',
  'day_usd',
  'month_usd',
  'turns',
  'wall_seconds',
  'stall_seconds',
] as const;
type ThresholdKind = (typeof THRESHOLD_KINDS)[number];

export interface ThresholdRow {
  kind: ThresholdKind;
  /** 0 stands for all tiers. */
  tier: number;
  warn: number | null;
  limit: number;
}

/** Budgets warn at 80 % of their limit. */
export const BUDGET_WARN_SHARE = 0.8;

/** The limits of a configuration as rows: what budgets and pages read without the whole document. */
export function thresholdsOf(config: ProjectConfig): ThresholdRow[] {
  const budget = (
    kind: ThresholdRow['kind'],
    tier: number,
    limit: number | null,
  ): ThresholdRow[] =>
    limit === null ? [] : [{ kind, tier, warn: limit * BUDGET_WARN_SHARE, limit }];
  return [
    { kind: 'context_share', tier: 0, warn: null, limit: config.contextThreshold },
    ...(config.maxRereadTokens === null
      ? []
      : [{ kind: 'reread_tokens' as const, tier: 0, warn: null, limit: config.maxRereadTokens }]),
    ...budget('chain_usd', 0, config.budgets.chainUsd),
    ...budget('day_usd', 0, config.budgets.dayUsd),
    ...budget('month_usd', 0, config.budgets.monthUsd),
    ...config.tiers.flatMap((tier) => [
      ...budget('attempt_usd', tier.tier, tier.maxBudgetUsd),
      { kind: 'turns' as const, tier: tier.tier, warn: null, limit: tier.maxTurns },
      { kind: 'wall_seconds' as const, tier: tier.tier, warn: null, limit: tier.timeoutSeconds },
      { kind: 'stall_seconds' as const, tier: tier.tier, warn: null, limit: tier.stallSeconds },
    ]),
  ];
}

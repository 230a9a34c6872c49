import { describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from './new-project';
import { projectConfigSchema } from './schema';
import { joinThresholds, splitThresholds, THRESHOLDS } from './thresholds';

const NO_LIMITS = projectConfigSchema.parse({
  ...DEFAULT_CONFIG,
  maxRereadTokens: null,
  budgets: { chainUsd: null, dayUsd: null, monthUsd: null },
  tiers: DEFAULT_CONFIG.tiers.map((tier) => ({ ...tier, maxBudgetUsd: null, contextWindow: null })),
});
const ALL_LIMITS = projectConfigSchema.parse({
  ...DEFAULT_CONFIG,
  maxRereadTokens: 90_000,
  budgets: { chainUsd: 0.1, dayUsd: 2.5, monthUsd: 70 },
  tiers: DEFAULT_CONFIG.tiers.map((tier) => ({
    ...tier,
    maxBudgetUsd: tier.tier / 10,
    contextWindow: 200_000,
  })),
});

describe('[CRD-1.1] the thresholds of a configuration', () => {
  it.each([
    ['with the defaults', DEFAULT_CONFIG],
    ['without limits', NO_LIMITS],
    ['with every limit', ALL_LIMITS],
  ])('come back as they were, %s', (_, config) => {
    const { stored, thresholds } = splitThresholds(config);
    const row = { config: JSON.parse(JSON.stringify(stored)), thresholds };
    expect(projectConfigSchema.parse(joinThresholds(row))).toEqual(config);
  });

  it('are in rows alone', () => {
    const { stored, thresholds } = splitThresholds(ALL_LIMITS);
    const text = JSON.stringify(stored);
    for (const name of Object.values(THRESHOLDS).flat()) expect(text).not.toContain(`"${name}"`);
    expect(thresholds.map(({ scope, name }) => `${scope} ${name}`)).toEqual(
      Object.entries(THRESHOLDS).flatMap(([scope, names]) =>
        names.map((name) => `${scope} ${name}`),
      ),
    );
  });

  it('are missing where there is no limit', () => {
    const names = splitThresholds(NO_LIMITS).thresholds.map(({ name }) => name);
    expect(new Set(names)).toEqual(
      new Set(['contextThreshold', 'timeoutSeconds', 'stallSeconds', 'maxTurns']),
    );
  });
});

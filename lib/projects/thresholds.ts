/**
 * The limits of a version, which are rows of their own: `splitThresholds` before a version is written,
 * `joinThresholds` after it is read.
 */
import type { ProjectConfig } from './schema';

const OF_PROJECT = ['contextThreshold', 'maxRereadTokens'] as const;
const OF_BUDGETS = ['chainUsd', 'dayUsd', 'monthUsd'] as const;
const OF_TIER = [
  'timeoutSeconds',
  'stallSeconds',
  'maxTurns',
  'maxBudgetUsd',
  'contextWindow',
] as const;

/** Every threshold, by what it limits. The constraint `threshold_name_check` has the same ones. */
export const THRESHOLDS = {
  project: [...OF_PROJECT, ...OF_BUDGETS],
  tier1: OF_TIER,
  tier2: OF_TIER,
  tier3: OF_TIER,
} as const;

export interface ThresholdRow {
  /** A key of THRESHOLDS. */
  scope: string;
  /** As the configuration names it. */
  name: string;
  /** In the unit of its name. */
  value: number;
}

/** What is stored of a version apart from its thresholds. */
export type StoredConfig = Omit<
  ProjectConfig,
  'tiers' | 'budgets' | (typeof OF_PROJECT)[number]
> & {
  tiers: object[];
};

/** Returns a configuration in two parts. A limit that is null has no row. */
export function splitThresholds(config: ProjectConfig): {
  stored: StoredConfig;
  thresholds: ThresholdRow[];
} {
  const { tiers, budgets, contextThreshold, maxRereadTokens, ...rest } = config;
  const project = { contextThreshold, maxRereadTokens, ...budgets };
  return {
    stored: { ...rest, tiers: tiers.map((tier) => without(tier, OF_TIER)) },
    thresholds: [
      ...rowsOf('project', THRESHOLDS.project, project),
      ...tiers.flatMap((tier) => rowsOf(`tier${tier.tier}`, OF_TIER, tier)),
    ],
  };
}

/** Returns what `projectConfigSchema` parses, from a row of `project_version` and its thresholds. */
export function joinThresholds({
  config,
  thresholds,
}: {
  config: unknown;
  thresholds: readonly ThresholdRow[];
}): unknown {
  const { tiers, ...rest } = config as { tiers: object[] };
  const of = (scope: string, names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        thresholds.find((row) => row.scope === scope && row.name === name)?.value ?? null,
      ]),
    );
  return {
    ...rest,
    ...of('project', OF_PROJECT),
    budgets: of('project', OF_BUDGETS),
    tiers: tiers.map((tier, index) => ({ ...tier, ...of(`tier${index + 1}`, OF_TIER) })),
  };
}

function rowsOf<Name extends string>(
  scope: string,
  names: readonly Name[],
  values: Record<Name, number | null>,
): ThresholdRow[] {
  return names.flatMap((name) => {
    const value = values[name];
    return value === null ? [] : [{ scope, name, value }];
  });
}

function without(values: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

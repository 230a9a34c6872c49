import { parseInput } from '@/lib/platform/http/read-body';
import type { Tier } from '@/lib/protocol/spec';
import { type ProjectConfig, projectConfigSchema, type TierPolicy } from '../schema';
import { type TierModelsOf, withAgent } from '../tier-models';
import type { ProjectPatch, TierPatch } from './schema';

/**
 * Applies a patch to a configuration. The tier switches and the maximum tier are equivalent, so
 * setting one changes the other. Another agent brings its own models, where the patch names none.
 *
 * @throws InvalidError with the fields that are wrong
 */
export function mergeConfig(
  before: ProjectConfig,
  patch: ProjectPatch,
  tierModelsOf: TierModelsOf,
): ProjectConfig {
  const harness = patch.harness ?? before.harness;
  const base = withAgent(before, harness, tierModelsOf(harness));
  const { name: _name, slug: _slug, tiers, maxTier, ...named } = patch;
  const { continuation, budgets, approvals, checkpoints, ...others } = named;
  const { monitoring, startOn, incidents, ...replaced } = others;
  const merged = base.tiers.map((policy) => mergeTier(policy, tiers, maxTier));
  return parseInput(projectConfigSchema, {
    ...base,
    ...replaced,
    tiers: merged,
    maxTier: maxTier ?? (namesSwitch(tiers) ? highestOn(merged) : base.maxTier),
    continuation: { ...base.continuation, ...continuation },
    budgets: { ...base.budgets, ...budgets },
    approvals: { ...base.approvals, ...approvals },
    checkpoints: { ...base.checkpoints, ...checkpoints },
    monitoring: { ...base.monitoring, ...monitoring },
    startOn: { ...base.startOn, ...startOn },
    incidents: { ...base.incidents, ...incidents },
  });
}

function mergeTier(
  policy: TierPolicy,
  patches: readonly TierPatch[] | undefined,
  maxTier: Tier | undefined,
): TierPolicy {
  const own = patches?.find((each) => each.tier === policy.tier);
  const { isolation: _removed, ...patch } = own ?? {};
  const switched = maxTier === undefined ? {} : { isEnabled: policy.tier <= maxTier };
  return { ...policy, ...switched, ...patch };
}

/** Returns a sentence about fields of earlier versions that a patch names; empty without any. */
export function ignoredFields({ tiers = [] }: Pick<ProjectPatch, 'tiers'>): string {
  const ignored = tiers.flatMap(({ tier, isolation }) => (isolation === undefined ? [] : [tier]));
  if (ignored.length === 0) return '';
  const named = `tier${ignored.length > 1 ? 's' : ''} ${ignored.toSorted().join(', ')}`;
  return `Isolation of ${named} was ignored: it belongs to the project.`;
}

/** Returns the note of a version that a document made. */
export function noteOf(what: string, ignored: string): string {
  return [what, ignored].filter(Boolean).join('. ');
}

function namesSwitch(patches: readonly TierPatch[] | undefined): boolean {
  return patches?.some((patch) => patch.isEnabled !== undefined) ?? false;
}

function highestOn(tiers: readonly TierPolicy[]): Tier {
  return tiers.findLast((policy) => policy.isEnabled)?.tier ?? 1;
}

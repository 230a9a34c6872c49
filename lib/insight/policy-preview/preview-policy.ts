import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { UnavailableError } from '@/lib/platform/errors';
import { mergeConfig } from '@/lib/projects/document/merge';
import type { ProjectPatch } from '@/lib/projects/document/schema';
import { withFile } from '@/lib/projects/file';
import { requireProject } from '@/lib/projects/manage-project';
import { getConfig } from '@/lib/projects/project-rows';
import type { TierModelsOf } from '@/lib/projects/tier-models';
import { getCurrentProject } from '@/lib/projects/versions';
import type { Tier } from '@/lib/protocol/spec';
import { changedTiers, comparePolicies, type RanCommand } from './compare-policies';
import { isTimeout, listRanCommands, type RanCommandRow } from './data';
import {
  type CommandPolicyVersion,
  MAX_COMMANDS,
  type PolicyPreview,
  PREVIEW_DAYS,
} from './schema';

interface PolicyChange {
  /** Id (`prj_…`) or slug. */
  project: string;
  /** The version that the changes were made on. */
  baseVersion: number;
  /** What the next version would be. */
  policy: CommandPolicyVersion;
}

/**
 * Returns what a policy changes about the commands that the project's chains called in the last 30
 * days. Commands of conversations don't count.
 *
 * @param limit how many different commands are compared, per tier
 * @throws UnavailableError if reading them takes too long
 */
export async function previewPolicy(
  scope: TenantScope,
  { project: reference, baseVersion, policy: after }: PolicyChange,
  now = new Date(),
  limit = MAX_COMMANDS,
): Promise<PolicyPreview> {
  const since = new Date(now.getTime() - PREVIEW_DAYS * 86_400_000);
  const { before, rows } = await inTransaction(scope, async (db) => {
    const { id: projectId } = await requireProject(db, reference);
    const before = await getConfig(db, projectId, baseVersion);
    const tiers = changedTiers(before, after);
    if (tiers.length === 0) return { before, rows: [] };
    const search = { projectId, tiers, since, limit };
    return { before, rows: await listRanCommands(db, search) };
  }).catch((error: unknown) => {
    if (!isTimeout(error)) throw error;
    throw new UnavailableError('Reading the commands of the last 30 days took too long.', 60);
  });
  const compared = await comparePolicies(rows.map(toCommand), before, after);
  const isCut = (tier: Tier) => rows.some((row) => row.tier === tier && row.commands > limit);
  return {
    days: PREVIEW_DAYS,
    tiers: compared.tiers.map((each) => ({ ...each, isCut: isCut(each.tier) })),
    groups: compared.groups,
  };
}

/** The next version of a project: edited settings, an earlier version, or an imported YAML file. */
export type NextVersion = { policy: CommandPolicyVersion } | { version: number } | { text: string };

/**
 * Returns the same for each way in which people save a version.
 *
 * @throws InvalidError that names every problem of a file, by line
 */
export async function previewNext(
  scope: TenantScope,
  { next, ...change }: Omit<PolicyChange, 'policy'> & { next: NextVersion },
  tierModelsOf: TierModelsOf,
  now = new Date(),
): Promise<PolicyPreview> {
  if ('policy' in next) return previewPolicy(scope, { ...change, ...next }, now);
  const policy = await inTransaction(scope, async (db) => {
    const { id, name, slug } = await requireProject(db, change.project);
    if ('version' in next) return getConfig(db, id, next.version);
    const config = await getConfig(db, id, change.baseVersion);
    return withFile(next.text, { name, slug, config }, tierModelsOf, now).config;
  });
  return previewPolicy(scope, { ...change, policy }, now);
}

/**
 * Returns the same for what `PATCH projects/{id}` would save.
 *
 * @throws InvalidError with the fields that are wrong
 */
export async function previewPatch(
  scope: TenantScope,
  project: string,
  patch: ProjectPatch,
  tierModelsOf: TierModelsOf,
  now = new Date(),
): Promise<PolicyPreview> {
  const { version, config } = await getCurrentProject(scope, project);
  const policy = mergeConfig(config, patch, tierModelsOf);
  return previewPolicy(scope, { project, baseVersion: version, policy }, now);
}

function toCommand({ argv, line, sessionNumber, seq, at, ...row }: RanCommandRow): RanCommand {
  const { tier, isConfined, count } = row;
  return {
    ...{ tier, isConfined, count },
    form: argv ? { argv } : { line: line ?? '' },
    newest: { sessionNumber, seq, at: at.toISOString() },
  };
}

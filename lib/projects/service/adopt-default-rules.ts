import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { getConfig } from '../project-rows';
import { withoutRetiredRules } from '../rules/retired';
import { requireProject } from './resolve-project';
import { saveProject } from './save-project';

/**
 * Saves a project's tiers with today's default rules in place of those of earlier versions. Rules
 * of the project's own stay as they are.
 *
 * @param input.project id (`prj_…`) or slug
 * @param input.baseVersion the version that the person saw
 * @returns the version that is current afterwards
 * @throws ConflictError when someone saved in between; nothing is changed then
 */
export async function adoptDefaultRules(
  scope: TenantScope,
  input: { project: string; baseVersion: number },
  now = new Date(),
): Promise<{ version: number }> {
  const { project, config } = await inTransaction(scope, async (db) => {
    const row = await requireProject(db, input.project);
    return { project: row, config: await getConfig(db, row.id, row.currentVersion) };
  });
  const [one, two, three] = config.tiers;
  return saveProject(
    scope,
    {
      projectId: project.id,
      baseVersion: input.baseVersion,
      name: project.name,
      slug: project.slug,
      config: {
        ...config,
        tiers: [withoutRetiredRules(one), withoutRetiredRules(two), withoutRetiredRules(three)],
      },
      note: 'Adopted the current default rules',
    },
    now,
  );
}

import { slugOfName } from '@/lib/identity/organizations/slug';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { DEFAULT_CONFIG } from './default-config';
import { mergeConfig } from './document/merge';
import type { ProjectDocument, ProjectPatch } from './document/schema';
import { createProject, getProject, requireProject, saveProject } from './manage-project';
import { getConfig } from './project-rows';
import type { TierModelsOf } from './tier-models';
import type { ProjectDto } from './view';

/**
 * Creates a project from the defaults and a document. Without a slug, it is derived from the name.
 */
export async function createFromDocument(
  scope: TenantScope,
  document: ProjectDocument,
  tierModelsOf: TierModelsOf,
  now = new Date(),
): Promise<ProjectDto> {
  const { projectId } = await createProject(
    scope,
    {
      name: document.name,
      slug: document.slug ?? slugOfName(document.name),
      config: mergeConfig(DEFAULT_CONFIG, document, tierModelsOf),
    },
    now,
  );
  return getProject(scope, encodeId('prj', projectId), now);
}

/**
 * Saves what the patch names as the next version.
 *
 * @throws ConflictError when someone saved in between
 */
export async function patchProject(
  scope: TenantScope,
  reference: string,
  patch: ProjectPatch,
  tierModelsOf: TierModelsOf,
  now = new Date(),
): Promise<ProjectDto> {
  const { project, config } = await inTransaction(scope, async (db) => {
    const row = await requireProject(db, reference);
    return { project: row, config: await getConfig(db, row.id, row.currentVersion) };
  });
  await saveProject(
    scope,
    {
      projectId: project.id,
      baseVersion: project.currentVersion,
      name: patch.name ?? project.name,
      slug: patch.slug ?? project.slug,
      config: mergeConfig(config, patch, tierModelsOf),
    },
    now,
  );
  return getProject(scope, encodeId('prj', project.id), now);
}

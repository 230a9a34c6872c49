import { slugOfName } from '@/lib/identity/organizations/slug';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { mergeConfig } from './document/merge';
import type { ProjectDocument, ProjectPatch } from './document/schema';
import { createProject, getProject, requireProject, saveProject } from './manage-project';
import { newProjectConfig } from './new-project';
import { getConfig } from './project-rows';
import type { TierModelsOf } from './tier-models';
import type { SavedProjectDto } from './view';

/** What callers know about agents and runners, which this module doesn't. */
export interface NewProjectFacts {
  tierModelsOf: TierModelsOf;
  /** Whether the project's pool has a runner that can confine agents. */
  canConfine: boolean;
}

/**
 * Creates a project from the defaults and a document. Without a slug, it is derived from the name.
 */
export async function createFromDocument(
  scope: TenantScope,
  document: ProjectDocument,
  { tierModelsOf, canConfine }: NewProjectFacts,
  now = new Date(),
): Promise<SavedProjectDto> {
  const defaults = newProjectConfig(canConfine, document.tiers);
  const { projectId, warnings } = await createProject(
    scope,
    {
      name: document.name,
      slug: document.slug ?? slugOfName(document.name),
      config: mergeConfig(defaults, document, tierModelsOf),
    },
    now,
  );
  return { ...(await getProject(scope, encodeId('prj', projectId), now)), warnings };
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
): Promise<SavedProjectDto> {
  const { project, config } = await inTransaction(scope, async (db) => {
    const row = await requireProject(db, reference);
    return { project: row, config: await getConfig(db, row.id, row.currentVersion) };
  });
  const { warnings } = await saveProject(
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
  return { ...(await getProject(scope, encodeId('prj', project.id), now)), warnings };
}

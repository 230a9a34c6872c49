import { slugOfName } from '@/lib/identity/organizations/slug';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { ignoredFields, mergeConfig, noteOf } from './document/merge';
import type { ProjectDocument, ProjectPatch } from './document/schema';
import { createProject, getProject, requireProject, saveProject } from './manage-project';
import { newProjectConfig, newProjectIsolation } from './new-project';
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
  const { isolation = newProjectIsolation(canConfine || asksForSandbox(document)) } = document;
  const defaults = newProjectConfig(isolation);
  const { projectId, warnings } = await createProject(
    scope,
    {
      name: document.name,
      slug: document.slug ?? slugOfName(document.name),
      config: mergeConfig(defaults, document, tierModelsOf),
      note: noteOf('Created', ignoredFields(document)),
    },
    now,
  );
  return { ...(await getProject(scope, encodeId('prj', projectId), now)), warnings };
}

/** Whether a document of an earlier version starts none of a tier's agents unconfined. */
function asksForSandbox({ tiers = [] }: ProjectDocument): boolean {
  return tiers.some(({ isolation }) => isolation === 'required');
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
      note: ignoredFields(patch),
    },
    now,
  );
  return { ...(await getProject(scope, encodeId('prj', project.id), now)), warnings };
}

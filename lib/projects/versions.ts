import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { listVersionRows } from './data';
import { changedFields, type FieldChange } from './difference';
import { requireProject, type SavedVersion, saveProject } from './manage-project';
import { getConfig } from './project-rows';
import { readVersion } from './read-config';
import type { ProjectConfig } from './schema';

const NEWEST = 50;

interface VersionItem {
  version: number;
  author: string;
  note: string;
  createdAt: Date;
  /** What it changed of the version before; null for the first one, and for the oldest listed. */
  changes: FieldChange[] | null;
  /** What restoring it would change of the current version. */
  restores: FieldChange[];
}

export interface CurrentProject {
  /** UUID. */
  id: string;
  slug: string;
  name: string;
  version: number;
  config: ProjectConfig;
  /** Who saved it. */
  author: string;
}

/** The newest 50, each with its author and difference. */
export function listVersions(scope: TenantScope, reference: string): Promise<VersionItem[]> {
  return inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    const rows = await listVersionRows(db, project.id, NEWEST);
    // Parsed with the schema, so that a field added later doesn't count as a change.
    const configs = rows.map(readVersion);
    return rows.map(({ version, author, note, createdAt }, index) => {
      const [before, own] = [configs[index + 1], configs[index]];
      return {
        version,
        author,
        note,
        createdAt,
        changes: before ? changedFields(before, own) : null,
        restores: changedFields(configs[0], own),
      };
    });
  });
}

/**
 * Returns the differences between two versions, in either order.
 *
 * @throws NotFoundError where one of them does not exist
 */
export function compareVersions(
  scope: TenantScope,
  { project, from, to }: { project: string; from: number; to: number },
): Promise<FieldChange[]> {
  return inTransaction(scope, async (db) => {
    const { id } = await requireProject(db, project);
    return changedFields(await getConfig(db, id, from), await getConfig(db, id, to));
  });
}

/** Returns the active configuration and its author, for the settings pages. */
export function getCurrentProject(scope: TenantScope, reference: string): Promise<CurrentProject> {
  return inTransaction(scope, async (db) => {
    const { id, slug, name, currentVersion } = await requireProject(db, reference);
    const [row] = await listVersionRows(db, id, 1);
    if (!row) throw new NotFoundError();
    return {
      id,
      slug,
      name,
      version: currentVersion,
      config: readVersion(row),
      author: row.author,
    };
  });
}

/**
 * Makes an earlier configuration the next version. Name and short name stay.
 *
 * @throws ConflictError when someone saved in between
 */
export async function restoreVersion(
  scope: TenantScope,
  input: { project: string; version: number; baseVersion: number },
): Promise<SavedVersion> {
  const { project, config } = await inTransaction(scope, async (db) => {
    const row = await requireProject(db, input.project);
    return { project: row, config: await getConfig(db, row.id, input.version) };
  });
  return saveProject(scope, {
    projectId: project.id,
    baseVersion: input.baseVersion,
    name: project.name,
    slug: project.slug,
    config,
    note: `Restored v${input.version}`,
  });
}

import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError, InvalidError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { insertVersion, moveToVersion, writeServices, writeThresholds } from '../data';
import { changedFields } from '../difference';
import { findProjectBySlug, getConfig, getProjectRow } from '../project-rows';
import { ensurePool } from '../runner-pools';
import { nextRunAt } from '../schedules/next-run';
import type { ProjectConfig } from '../schema';
import { thresholdsOf } from '../thresholds';
import { checkConfig } from '../validate';

export interface SaveProjectInput {
  projectId: string;
  /** The version that the changes were made on. */
  baseVersion: number;
  name: string;
  slug: string;
  config: ProjectConfig;
  note?: string;
}

/**
 * Saves a configuration as the next version; running chains keep the one that they froze.
 *
 * @throws ConflictError when someone saved in between; nothing is changed then
 */
export async function saveProject(
  scope: TenantScope,
  input: SaveProjectInput,
  now = new Date(),
): Promise<{ version: number }> {
  requireMay(scope, 'project.change');
  return inTransaction(scope, async (db) => {
    const project = await getProjectRow(db, input.projectId);
    const before = await getConfig(db, project.id, project.currentVersion);
    checkConfig(input.config, now, before);
    const other = await findProjectBySlug(db, input.slug);
    if (other && other.id !== project.id) {
      throw new InvalidError('This short name is used by another project.', {
        slug: 'This short name is used by another project. Pick a different one.',
      });
    }
    const version = input.baseVersion + 1;
    const isMoved = await moveToVersion(db, project.id, input.baseVersion, {
      name: input.name,
      slug: input.slug,
      nextRunAt: nextRunAt(input.config.schedule, now),
    });
    if (!isMoved) {
      throw new ConflictError(
        `Someone saved v${project.currentVersion} while you edited. Your changes are still here. Compare before you save.`,
        { currentVersion: project.currentVersion },
      );
    }
    await ensurePool(db, scope.organizationId, input.config.runnerPool);
    await insertVersion(db, scope.organizationId, {
      projectId: project.id,
      version,
      config: input.config,
      author: scope.actor.label,
      note: input.note ?? '',
    });
    const names = input.config.services.map((service) => service.name);
    await writeServices(db, scope.organizationId, project.id, names, now);
    await writeThresholds(db, scope.organizationId, project.id, thresholdsOf(input.config));
    await recordAudit(db, scope, {
      action: 'project.saved',
      target: encodeId('prj', project.id),
      detail: { version, changes: changedFields(before, input.config) },
    });
    return { version };
  });
}

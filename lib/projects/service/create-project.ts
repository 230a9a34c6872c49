import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { InvalidError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { insertProject, insertVersion, writeServices, writeThresholds } from '../data';
import { findProjectBySlug } from '../project-rows';
import { ensurePool } from '../runner-pools';
import { nextRunAt } from '../schedules/next-run';
import type { ProjectConfig } from '../schema';
import { thresholdsOf } from '../thresholds';
import { checkConfig } from '../validate';

export interface CreateProjectInput {
  name: string;
  slug: string;
  config: ProjectConfig;
}

/**
 * @returns UUID and slug of the new project
 * @throws InvalidError with the fields that are wrong
 */
export async function createProject(
  scope: TenantScope,
  input: CreateProjectInput,
  now = new Date(),
): Promise<{ projectId: string; slug: string }> {
  requireMay(scope, 'project.create');
  checkConfig(input.config, now);
  return inTransaction(scope, async (db) => {
    if (await findProjectBySlug(db, input.slug)) {
      throw new InvalidError('This short name is used by another project.', {
        slug: 'This short name is used by another project. Pick a different one.',
      });
    }
    await ensurePool(db, scope.organizationId, input.config.runnerPool);
    const project = await insertProject(db, scope.organizationId, {
      slug: input.slug,
      name: input.name,
      nextRunAt: nextRunAt(input.config.schedule, now),
    });
    await insertVersion(db, scope.organizationId, {
      projectId: project.id,
      version: 1,
      config: input.config,
      author: scope.actor.label,
      note: 'Created',
    });
    const names = input.config.services.map((service) => service.name);
    await writeServices(db, scope.organizationId, project.id, names, now);
    await writeThresholds(db, scope.organizationId, project.id, thresholdsOf(input.config));
    await recordAudit(db, scope, {
      action: 'project.created',
      target: encodeId('prj', project.id),
      detail: { name: input.name, slug: input.slug },
    });
    return { projectId: project.id, slug: project.slug };
  });
}

import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { deleteProjectRow, stopSchedule } from '@/lib/projects/project-rows';
import { findLiveChain } from './chain-rows';

/**
 * Deletes a project with its chains, sessions and logs. Its costs stay in the organization's daily
 * usage, and the audit log records the deletion.
 *
 * @throws ConflictError with the chain's id while one runs
 */
export function deleteProject(scope: TenantScope, reference: string): Promise<void> {
  requireMay(scope, 'project.delete');
  return inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    // The row is locked from here on, so no chain starts between this check and the deletion.
    await stopSchedule(db, project.id);
    const live = await findLiveChain(db, project.id);
    if (live) {
      throw new ConflictError(
        `Chain #${live.number} is still running. Stop it, then delete ${project.name}.`,
        { chainId: encodeId('chn', live.id), number: live.number },
      );
    }
    await deleteProjectRow(db, scope.organizationId, project, scope.actor.label);
    await recordAudit(db, scope, {
      action: 'project.deleted',
      target: encodeId('prj', project.id),
      detail: { name: project.name, slug: project.slug },
    });
  });
}

import { recordAudit } from '@/lib/identity/audit/record-audit';
import { NOT_PAUSED, pausedColumns } from '@/lib/identity/pauses/columns';
import type { PauseColumns, PauseInput } from '@/lib/identity/pauses/schema';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { setProjectPause } from '../view/data';
import type { ProjectDto } from '../view/schema';
import { getProject } from './read-projects';
import { requireProject } from './resolve-project';

/**
 * Nothing of it starts until it is resumed or the pause ends; what runs goes on. A second time
 * changes nothing.
 */
export async function pauseProject(
  scope: TenantScope,
  reference: string,
  pause: PauseInput,
  now = new Date(),
): Promise<ProjectDto> {
  return setPause(scope, reference, pausedColumns(scope, pause, now), now);
}

export function resumeProject(
  scope: TenantScope,
  reference: string,
  now = new Date(),
): Promise<ProjectDto> {
  return setPause(scope, reference, NOT_PAUSED, now);
}

async function setPause(
  scope: TenantScope,
  reference: string,
  columns: PauseColumns,
  now: Date,
): Promise<ProjectDto> {
  requireMay(scope, 'project.pause');
  await inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    if (!(await setProjectPause(db, project.id, columns))) return;
    const { pausedAt, pauseReason: reason, pauseEndsAt: endsAt } = columns;
    await recordAudit(db, scope, {
      action: pausedAt ? 'project.paused' : 'project.resumed',
      target: encodeId('prj', project.id),
      detail: { name: project.name, ...(pausedAt ? { reason, endsAt } : {}) },
    });
  });
  return getProject(scope, reference, now);
}

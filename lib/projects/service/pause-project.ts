import { recordAudit } from '@/lib/audit/data';
import { inTransaction } from '@/lib/db/tenant-db';
import { encodeId } from '@/lib/ids';
import { requireMay } from '@/lib/tenancy/role-matrix';
import type { TenantScope } from '@/lib/tenancy/scope';
import { setProjectPause } from '../view/data';
import type { ProjectDto } from '../view/schema';
import { getProject } from './read-projects';
import { requireProject } from './resolve-project';

/** Nothing of it starts until it is resumed; what runs goes on. A second time changes nothing. */
export function pauseProject(
  scope: TenantScope,
  reference: string,
  reason: string,
  now = new Date(),
): Promise<ProjectDto> {
  return setPause(scope, reference, { at: now, by: scope.actor.label, reason }, now);
}

export function resumeProject(
  scope: TenantScope,
  reference: string,
  now = new Date(),
): Promise<ProjectDto> {
  return setPause(scope, reference, null, now);
}

async function setPause(
  scope: TenantScope,
  reference: string,
  pause: { at: Date; by: string; reason: string } | null,
  now: Date,
): Promise<ProjectDto> {
  requireMay(scope, 'project.pause');
  await inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    if (!(await setProjectPause(db, project.id, pause))) return;
    await recordAudit(db, scope, {
      action: pause ? 'project.paused' : 'project.resumed',
      target: encodeId('prj', project.id),
      detail: { name: project.name, reason: pause?.reason },
    });
  });
  return getProject(scope, reference, now);
}

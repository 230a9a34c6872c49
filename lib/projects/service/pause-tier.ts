import { recordAudit } from '@/lib/identity/audit/record-audit';
import { pausedColumns } from '@/lib/identity/pauses/columns';
import type { PauseInput } from '@/lib/identity/pauses/schema';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { Tier } from '@/lib/protocol/spec';
import { deleteTierPause, insertTierPause } from '../tier-pauses/data';
import type { ProjectDto } from '../view/schema';
import { getProject } from './read-projects';
import { requireProject } from './resolve-project';

/**
 * No attempt of the tier starts until it is resumed or the pause ends; without tier 1 no chain
 * starts at all. A second time changes nothing.
 */
export async function pauseTier(
  scope: TenantScope,
  { project: reference, tier }: { project: string; tier: Tier },
  pause: PauseInput,
  now = new Date(),
): Promise<ProjectDto> {
  requireMay(scope, 'tier.pause');
  const columns = pausedColumns(scope, pause, now);
  await inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    const about = { projectId: project.id, tier };
    if (!(await insertTierPause(db, scope.organizationId, { ...about, ...columns }))) return;
    await recordAudit(db, scope, {
      action: 'tier.paused',
      target: encodeId('prj', project.id),
      projectId: project.id,
      detail: { name: project.name, tier, reason: pause.reason, endsAt: columns.pauseEndsAt },
    });
  });
  return getProject(scope, reference, now);
}

export async function resumeTier(
  scope: TenantScope,
  { project: reference, tier }: { project: string; tier: Tier },
  now = new Date(),
): Promise<ProjectDto> {
  requireMay(scope, 'tier.pause');
  await inTransaction(scope, async (db) => {
    const project = await requireProject(db, reference);
    if (!(await deleteTierPause(db, project.id, tier))) return;
    await recordAudit(db, scope, {
      action: 'tier.resumed',
      target: encodeId('prj', project.id),
      projectId: project.id,
      detail: { name: project.name, tier },
    });
  });
  return getProject(scope, reference, now);
}

import { recordAudit } from '@/lib/identity/audit/record-audit';
import { NOT_PAUSED, pausedColumns } from '@/lib/identity/pauses/columns';
import type { PauseColumns, PauseInput } from '@/lib/identity/pauses/schema';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { OrganizationDto } from '../schema';
import { getOrganization } from '../service';
import { setOrganizationPause } from './data';

/**
 * Nothing of the organization starts until it is resumed or the pause ends; what runs goes on.
 * A second time changes nothing.
 */
export async function pauseOrganization(
  scope: TenantScope,
  pause: PauseInput,
  now = new Date(),
): Promise<OrganizationDto> {
  return setPause(scope, pausedColumns(scope, pause, now));
}

export async function resumeOrganization(scope: TenantScope): Promise<OrganizationDto> {
  return setPause(scope, NOT_PAUSED);
}

async function setPause(scope: TenantScope, columns: PauseColumns): Promise<OrganizationDto> {
  requireMay(scope, 'organization.pause');
  await inTransaction(scope, async (db) => {
    if (!(await setOrganizationPause(db, scope.organizationId, columns))) return;
    const { pausedAt, pauseReason: reason, pauseEndsAt: endsAt } = columns;
    await recordAudit(db, scope, {
      action: pausedAt ? 'organization.paused' : 'organization.resumed',
      target: encodeId('org', scope.organizationId),
      detail: pausedAt ? { reason, endsAt } : {},
    });
  });
  return getOrganization(scope);
}

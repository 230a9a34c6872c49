import { recordAudit } from '@/lib/audit/data';
import { inTransaction } from '@/lib/db/tenant-db';
import { encodeId } from '@/lib/ids';
import { requireMay } from '@/lib/tenancy/role-matrix';
import type { TenantScope } from '@/lib/tenancy/scope';
import type { OrganizationDto } from '../schema';
import { getOrganization } from '../service';
import { setOrganizationPause } from './data';

/** Nothing of the organization starts until it is resumed; what runs goes on. */
export async function pauseOrganization(
  scope: TenantScope,
  reason: string,
  now = new Date(),
): Promise<OrganizationDto> {
  return setPause(scope, { at: now, by: scope.actor.label, reason });
}

export async function resumeOrganization(scope: TenantScope): Promise<OrganizationDto> {
  return setPause(scope, null);
}

async function setPause(
  scope: TenantScope,
  pause: { at: Date; by: string; reason: string } | null,
): Promise<OrganizationDto> {
  requireMay(scope, 'organization.pause');
  await inTransaction(scope, async (db) => {
    if (!(await setOrganizationPause(db, scope.organizationId, pause))) return;
    await recordAudit(db, scope, {
      action: pause ? 'organization.paused' : 'organization.resumed',
      target: encodeId('org', scope.organizationId),
      detail: { reason: pause?.reason },
    });
  });
  return getOrganization(scope);
}

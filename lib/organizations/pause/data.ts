import type { TenantDb } from '@/lib/db/tenant-db';
import type { PauseColumns } from '@/lib/pauses/schema';
import type { OrganizationId } from '@/lib/tenancy/scope';

/** False when it was so already. */
export async function setOrganizationPause(
  db: TenantDb,
  organizationId: OrganizationId,
  columns: PauseColumns,
): Promise<boolean> {
  const { count } = await db.organization.updateMany({
    where: { id: organizationId, pausedAt: columns.pausedAt ? null : { not: null } },
    data: columns,
  });
  return count === 1;
}

import type { PauseColumns } from '@/lib/identity/pauses/schema';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

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

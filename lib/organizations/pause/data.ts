import type { TenantDb } from '@/lib/db/tenant-db';
import type { OrganizationId } from '@/lib/tenancy/scope';

/** False when it was so already. */
export async function setOrganizationPause(
  db: TenantDb,
  organizationId: OrganizationId,
  pause: { at: Date; by: string; reason: string } | null,
): Promise<boolean> {
  const { count } = await db.organization.updateMany({
    where: { id: organizationId, pausedAt: pause ? null : { not: null } },
    data: {
      pausedAt: pause?.at ?? null,
      pausedBy: pause?.by ?? null,
      pauseReason: pause?.reason ?? null,
    },
  });
  return count === 1;
}

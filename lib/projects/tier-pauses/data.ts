import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** False when it is paused already. */
export async function insertTierPause(
  db: TenantDb,
  organizationId: OrganizationId,
  pause: {
    projectId: string;
    tier: number;
    pausedAt: Date;
    pausedBy: string;
    pauseReason: string;
    pauseEndsAt: Date | null;
  },
): Promise<boolean> {
  const { count } = await db.tierPause.createMany({
    data: { organizationId, ...pause },
    skipDuplicates: true,
  });
  return count === 1;
}

/** False when it was not paused. */
export async function deleteTierPause(
  db: TenantDb,
  projectId: string,
  tier: number,
): Promise<boolean> {
  const { count } = await db.tierPause.deleteMany({ where: { projectId, tier } });
  return count === 1;
}

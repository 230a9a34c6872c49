import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

export async function updateOrganization(
  db: TenantDb,
  organizationId: OrganizationId,
  change: { name: string; slug: string },
): Promise<void> {
  await db.organization.update({ where: { id: organizationId }, data: change });
}

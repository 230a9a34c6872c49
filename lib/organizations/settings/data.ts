import type { TenantDb } from '@/lib/db/tenant-db';
import type { OrganizationId } from '@/lib/tenancy/scope';

export async function updateOrganization(
  db: TenantDb,
  organizationId: OrganizationId,
  change: { name: string; slug: string },
): Promise<void> {
  await db.organization.update({ where: { id: organizationId }, data: change });
}

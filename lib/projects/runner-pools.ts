import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** The pool of that name, made when the organization has none. */
export async function ensurePool(
  db: TenantDb,
  organizationId: OrganizationId,
  name: string,
): Promise<string> {
  const pool = await db.runnerPool.upsert({
    where: { organizationId_name: { organizationId, name } },
    create: { organizationId, name },
    update: {},
    select: { id: true },
  });
  return pool.id;
}

import type { Role } from '@/lib/platform/db/roles';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** People of these roles by the time they joined, at most `limit`. */
export async function listPeopleOfRoles(
  db: TenantDb,
  roles: readonly Role[],
  limit: number,
): Promise<{ name: string; email: string }[]> {
  const rows = await db.membership.findMany({
    where: { role: { in: [...roles] } },
    orderBy: { createdAt: 'asc' },
    take: limit,
    select: { user: { select: { name: true, email: true } } },
  });
  return rows.map((row) => row.user);
}

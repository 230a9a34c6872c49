import { hasRole, ROLES, type Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';

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

const MOST_NAMES = 2;

/** Names of people with the role or one above it, at most two: whom someone without it can ask. */
export function listNamesWithRole(scope: TenantScope, needed: Role): Promise<string[]> {
  const roles = ROLES.filter((role) => hasRole(role, needed));
  return inTransaction(scope, async (db) => {
    const people = await listPeopleOfRoles(db, roles, MOST_NAMES);
    return people.map((person) => person.name || person.email);
  });
}

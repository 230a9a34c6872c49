import { hasRole, ROLES, type Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { listPeopleOfRoles } from '../people';

const MOST_NAMES = 2;

/** Names of people with the role or one above it, at most two: whom someone without it can ask. */
export function listNamesWithRole(scope: TenantScope, needed: Role): Promise<string[]> {
  const roles = ROLES.filter((role) => hasRole(role, needed));
  return inTransaction(scope, async (db) => {
    const people = await listPeopleOfRoles(db, roles, MOST_NAMES);
    return people.map((person) => person.name || person.email);
  });
}

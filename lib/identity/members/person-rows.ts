import { type RawBuilder, sql } from 'kysely';
import { asRole, type Role } from '@/lib/platform/db/roles';
import type { OrganizationId, TenantScope } from '@/lib/platform/db/scope';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/**
 * Returns the person who acts: e-mail and role at this moment. The person behind a token is the member
 * who created it. Null if there is no such member.
 */
export async function findPerson(
  db: TenantDb,
  { organizationId, actor }: Pick<TenantScope, 'organizationId' | 'actor'>,
): Promise<{ email: string; role: Role } | null> {
  const [row] = await sqlRows(db)<{
    email: string;
    role: string;
  }>`select u.email, m.role from membership m join user_account u on u.id = m.user_id
      where m.organization_id = ${organizationId}::uuid and ${isActor(organizationId, actor)} for share of m`;
  return row ? { email: row.email, role: asRole(row.role) } : null;
}

function isActor(
  organizationId: OrganizationId,
  { kind, id }: TenantScope['actor'],
): RawBuilder<unknown> {
  if (kind === 'user') return sql`m.user_id = ${id}::uuid`;
  if (kind !== 'api_token') return sql`false`;
  return sql`u.email = (select t.created_by from api_token t
    where t.organization_id = ${organizationId}::uuid and t.id = ${id}::uuid)`;
}

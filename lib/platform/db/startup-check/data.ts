import { Prisma } from '@/generated/prisma/client';
import { systemClient, tenantClient } from '../clients';
import type { DatabaseWalls } from './problems';

type Use = DatabaseWalls['use'];

/**
 * A table is open when row-level security is not forced on it, or when a policy that holds for the
 * application's login does not name the tenant.
 */
function wallsSql(use: Use): Prisma.Sql {
  return Prisma.sql`
    select ${use} as use, current_user::text as role, me.rolsuper or me.rolbypassrls as "isUnbound",
      exists (select from pg_class c where c.relnamespace = 'public'::regnamespace
        and c.relkind in ('r', 'p') and c.relowner = me.oid) as "isOwner",
      array(
        select c.relname::text from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and (c.relname = 'organization' or exists (
            select from pg_attribute a
            where a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped))
          and (not c.relrowsecurity or not c.relforcerowsecurity
            or not exists (select from pg_policy p where p.polrelid = c.oid)
            or (${use === 'application'} and not me.rolsuper and exists (
              select from pg_policy p where p.polrelid = c.oid and p.polpermissive
                and exists (select from unnest(p.polroles) r where r = 0 or pg_has_role(r, 'USAGE'))
                and coalesce(pg_get_expr(coalesce(p.polqual, p.polwithcheck), c.oid), '')
                  not like '%app.organization_id()%')))
        order by 1) as "openTables",
      array(
        select c.relname::text from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')
          and not coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on'], false)
        order by 1) as "openViews"
    from pg_roles me where me.rolname = current_user`;
}

/** Asked over the very connections that the process works with. */
export async function readWalls(): Promise<DatabaseWalls[]> {
  return [
    ...(await tenantClient().$queryRaw<DatabaseWalls[]>(wallsSql('application'))),
    ...(await systemClient().$queryRaw<DatabaseWalls[]>(wallsSql('system'))),
  ];
}

/** Everything that a login may do in a database, read from the catalog. */
import type pg from 'pg';

const NOT_SYSTEM = "not in ('pg_catalog', 'information_schema', 'pg_toast')";

/**
 * Returns what was granted to a role, or to `public`, apart from what PostgreSQL itself grants on
 * its own catalogs: for each set of rights the objects, in the form `schema kind: rights`. All
 * objects of a kind in a schema are `*`.
 */
export async function grantsOf(
  client: pg.Client,
  grantee: string,
): Promise<Record<string, string[]>> {
  const { rows } = await client.query<{ rights: string; names: string[] }>(
    `with objects as (
       select 'database' as kind, '' as schema, 'the database' as name, acldefault('d', datdba) as usual, datacl as acl
         from pg_database where datname = current_database()
       union all
       select 'schema', '', nspname, acldefault('n', nspowner), nspacl from pg_namespace
         where nspname ${NOT_SYSTEM} and nspname not like 'pg\\_%'
       union all
       select case when relkind = 'S' then 'sequence' else 'table' end, nspname, relname,
           acldefault(case when relkind = 'S' then 's' else 'r' end::"char", relowner), relacl
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where nspname ${NOT_SYSTEM} and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
       union all
       select 'column', nspname, relname || '.' || attname, null::aclitem[], attacl
         from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
         where nspname ${NOT_SYSTEM} and attacl is not null
       union all
       select 'function', nspname, proname, acldefault('f', proowner), proacl
         from pg_proc p join pg_namespace n on n.oid = p.pronamespace where nspname ${NOT_SYSTEM}
     ), given as (
       select o.kind, o.schema, o.name, string_agg(distinct a.privilege_type, ' ' order by a.privilege_type)
           || case when bool_or(a.is_grantable) then ' with grant option' else '' end as rights
       from objects o cross join lateral aclexplode(coalesce(o.acl, o.usual)) a
         left join pg_roles r on r.oid = a.grantee
       where coalesce(r.rolname, 'public') = $1 group by 1, 2, 3
     )
     select trim(schema || ' ' || kind) || ': ' || rights as rights,
       case when count(*) > 1 and count(*) = (select count(distinct o.name) from objects o where (o.kind, o.schema) = (given.kind, given.schema))
         then array['*'] else array_agg(name::text order by name) end as names
     from given group by schema, kind, rights order by 1`,
    [grantee],
  );
  return Object.fromEntries(rows.map(({ rights, names }) => [rights, names]));
}

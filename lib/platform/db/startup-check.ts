import { type RawBuilder, sql } from 'kysely';
import { logger } from '../logger';
import { lookedUp, systemRows } from './sql';

/** @throws Error that says, one a line, why the database would not keep tenants apart */
export async function requireTenantWalls(): Promise<void> {
  const problems = (await readWalls()).flatMap(wallProblems);
  if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
}

/**
 * Ends the process, before it has served anyone, when the database would not keep tenants apart.
 * An error alone would not do: Next logs what its start-up hook throws, and may continue.
 */
export async function exitWithoutTenantWalls(): Promise<void> {
  try {
    await requireTenantWalls();
  } catch (error) {
    logger.fatal(
      { error: error instanceof Error ? error.message : String(error) },
      'startup refused',
    );
    process.exit(1);
  }
}

/** What a database login may do and what guards the tables, as read at the start. */
export interface DatabaseWalls {
  /** What the connection is for, as people know it. */
  use: 'application' | 'system';
  role: string;
  /** A superuser, or one that bypasses row-level security. */
  isUnbound: boolean;
  isOwner: boolean;
  /** Tables with tenants' rows that this login could read without its tenant. */
  openTables: readonly string[];
  /** Views that read with their owner's rights. */
  openViews: readonly string[];
}

/**
 * Returns why a process must not start on this database, one sentence each with what to do; empty
 * if it may.
 */
export function wallProblems(walls: DatabaseWalls): string[] {
  const problems: string[] = [];
  const login = `The database login "${walls.role}" of the ${walls.use}`;
  const wanted = `Give Tierwatch a login of the role tierwatch_${walls.use === 'application' ? 'app' : 'system'}.`;
  if (walls.isUnbound) {
    problems.push(
      `${login} is a superuser or bypasses row-level security, so the database would not keep tenants apart. ${wanted}`,
    );
  } else if (walls.isOwner) {
    problems.push(`${login} owns tables, so it could switch row-level security off. ${wanted}`);
  }
  if (walls.openTables.length > 0) {
    problems.push(
      `Row-level security does not keep tenants apart for ${login.replace('The', 'the')} in: ${walls.openTables.join(', ')}. Run the migrations, and undo manual changes.`,
    );
  }
  if (walls.openViews.length > 0) {
    problems.push(
      `These views read with the rights of their owner: ${walls.openViews.join(', ')}. Set security_invoker = true on each, or drop it.`,
    );
  }
  return problems;
}

type Use = DatabaseWalls['use'];

/**
 * A table is open when row-level security is not forced on it, or when a policy that holds for the
 * application's login does not name the tenant.
 */
function wallsSql(use: Use): RawBuilder<DatabaseWalls> {
  return sql`
    select ${use} as use, current_user::text as role, me.rolsuper or me.rolbypassrls as is_unbound,
      exists (select from pg_class c where c.relnamespace = 'public'::regnamespace
        and c.relkind in ('r', 'p') and c.relowner = me.oid) as is_owner,
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
        order by 1) as open_tables,
      array(
        select c.relname::text from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('v', 'm')
          and not coalesce(c.reloptions && array['security_invoker=true', 'security_invoker=on'], false)
        order by 1) as open_views
    from pg_roles me where me.rolname = current_user`;
}

/** Reads the properties over the same connections that the process uses. */
export async function readWalls(): Promise<DatabaseWalls[]> {
  return [
    ...(await lookedUp(wallsSql('application'))),
    ...(await systemRows('properties of the login', wallsSql('system'))),
  ];
}

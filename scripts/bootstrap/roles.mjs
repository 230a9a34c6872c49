import pg from 'pg';
import { isWithoutPassword, ROLES, rolePassword, roleUrl } from './database-urls.mjs';
import { StartProblem } from './problem.mjs';
import { scramVerifier } from './scram.mjs';

const MIN_VERSION = 160_000;
const INSUFFICIENT_PRIVILEGE = '42501';
/** Unknown role, wrong password, may not log in, may not connect to this database. */
const LOGIN_REFUSALS = new Set(['28000', '28P01', INSUFFICIENT_PRIVILEGE]);

async function withClient(connectionString, work) {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What an operator runs once when the owner may not make roles. */
function operatorSql(owner, secretKey, env) {
  const names = ROLES.map(({ role }) => role);
  const logins = names.map((role) => {
    const verifier = scramVerifier(rolePassword(secretKey, role, env));
    return `create role ${role};\nalter role ${role} login password '${verifier}';`;
  });
  return [...logins, `grant ${names.join(', ')} to "${owner}" with set true, inherit false;`].join(
    '\n',
  );
}

function explainSql(owner, secretKey, env, why) {
  return new StartProblem(
    `${why}\nRun this once as an administrator of the database server (a "create role" that fails because the role exists is fine), then start again:\n\n${operatorSql(owner, secretKey, env)}\n\nThe passwords come from TIERWATCH_SECRET_KEY. Or set the logins yourself: ${ROLES.map(({ variable }) => variable).join(', ')}.`,
  );
}

/**
 * Before migrating: are the roles there, or can the owner make them? The migration could not say it
 * as clearly. Throws StartProblem with the SQL to run.
 */
export async function requireRoles(ownerUrl, secretKey, env) {
  await withClient(ownerUrl, async (client) => {
    const version = await client.query(
      "select current_setting('server_version_num')::int as number",
    );
    if (version.rows[0].number < MIN_VERSION) {
      throw new StartProblem(
        'The database server is older than PostgreSQL 16. Tierwatch needs 16 or newer.',
      );
    }
    const { rows } = await client.query(
      `select current_user as name, me.rolsuper as "isSuperuser", me.rolcreaterole as "mayCreate",
         array(select rolname from pg_roles where rolname = any($1))::text[] as existing,
         array(select rolname from pg_roles
           where rolname = any($1) and pg_has_role(current_user, oid, 'SET'))::text[] as usable
       from pg_roles me where me.rolname = current_user`,
      [ROLES.map(({ role }) => role)],
    );
    const [owner] = rows;
    const why = findRoleProblem(owner);
    if (why) throw explainSql(owner.name, secretKey, env, why);
  });
}

/** @param {{ name: string, isSuperuser: boolean, mayCreate: boolean, existing: string[], usable: string[] }} owner */
function findRoleProblem({ name, isSuperuser, mayCreate, existing, usable }) {
  if (isSuperuser || usable.length === ROLES.length) return null;
  if (!mayCreate) {
    return `The database user "${name}" of DATABASE_URL is not allowed to create roles, and the application must not run as the owner of its tables.`;
  }
  const foreign = existing.filter((role) => !usable.includes(role));
  if (foreign.length === 0) return null;
  return `The roles ${foreign.join(', ')} were created by another user than "${name}", the database user of DATABASE_URL, which can therefore not use them.`;
}

async function canLogIn(url) {
  try {
    await withClient(url, async (client) => await client.query('select 1'));
    return true;
  } catch (error) {
    if (LOGIN_REFUSALS.has(error.code)) return false;
    throw error;
  }
}

async function giveLogin(client, role, secretKey, env) {
  const password = rolePassword(secretKey, role, env);
  const verifier = client.escapeLiteral(scramVerifier(password));
  await client.query(`alter role ${role} login password ${verifier}`);
}

/**
 * After migrating: lets each role log in to this database, with the password of `rolePassword`, except
 * those whose address was given with a password. Throws StartProblem with the SQL to run when refused.
 */
export async function ensureLogins(ownerUrl, secretKey, env) {
  await withClient(ownerUrl, async (client) => {
    const { rows } = await client.query(
      'select current_user as name, current_database() as database',
    );
    const [{ name, database }] = rows;
    const names = ROLES.map(({ role }) => role).join(', ');
    await client.query(
      `grant connect on database ${client.escapeIdentifier(database)} to ${names}`,
    );
    for (const { role, variable } of ROLES) {
      const hasOwnPassword = env[variable] && !isWithoutPassword(env[variable], role);
      const url = roleUrl(ownerUrl, role, secretKey, env);
      if (hasOwnPassword || (await canLogIn(url))) continue;
      try {
        await giveLogin(client, role, secretKey, env);
      } catch (error) {
        if (error.code !== INSUFFICIENT_PRIVILEGE) throw error;
        throw explainSql(
          name,
          secretKey,
          env,
          `The database user "${name}" is not allowed to give the role ${role} a login.`,
        );
      }
    }
  });
}

/** Refuses a login that row-level security would not hold. @param {{ appUrl: string, systemUrl: string }} urls */
export async function requireBoundRoles({ appUrl, systemUrl }) {
  for (const url of [appUrl, systemUrl]) {
    const role = await withClient(url, async (client) => {
      const { rows } = await client.query(
        `select me.rolname as name, me.rolsuper or me.rolbypassrls as "isUnbound",
           exists (select from pg_class c where c.relnamespace = 'public'::regnamespace
             and c.relkind = 'r' and c.relowner = me.oid) as "isOwner"
         from pg_roles me where me.rolname = current_user`,
      );
      return rows[0];
    });
    if (!role.isUnbound && !role.isOwner) continue;
    throw new StartProblem(
      `The database login "${role.name}" ${role.isOwner ? 'owns the tables' : 'is a superuser or bypasses row-level security'}, so the database would not keep tenants apart. Give Tierwatch a login of the role tierwatch_app or tierwatch_system.`,
    );
  }
}

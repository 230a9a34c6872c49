import pg from 'pg';
import { superuserUrl } from './settings.mjs';

const OWNER = 'tierwatch_owner';

/**
 * The superuser's only task: a role that can create roles and owns the database, but isn't a
 * superuser, because a superuser silently bypasses row-level security.
 * @param {import('./settings.mjs').ClusterSettings} settings
 */
export async function ensureOwner(settings, database = 'tierwatch') {
  const admin = new pg.Client({ connectionString: superuserUrl(settings) });
  await admin.connect();
  try {
    const password = admin.escapeLiteral(settings.ownerPassword);
    const roles = await admin.query('select 1 from pg_roles where rolname = $1', [OWNER]);
    if (roles.rowCount === 0) {
      await admin.query(`create role ${OWNER} login createrole password ${password}`);
    }
    const found = await admin.query('select 1 from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) {
      await admin.query(`create database ${admin.escapeIdentifier(database)} owner ${OWNER}`);
    }
    // A runner's login must reach its own schema of this database, and no other database.
    for (const name of ['postgres', 'template1', database]) {
      const quoted = admin.escapeIdentifier(name);
      await admin.query(`revoke connect, temporary on database ${quoted} from public`);
    }
  } finally {
    await admin.end();
  }
}

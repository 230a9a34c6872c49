/** Empties a test database for the next test file, which costs less than copying the template once more. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** What a database consisted of when it was new. */
export interface Pristine {
  /** What `SCHEMA` finds. */
  schema: string;
  /** The tables with rows, and those. */
  rows: Map<string, string>;
  /** The last values. */
  sequences: Map<string, string | null>;
}

/** These change with whatever a statement defines, and with the statistics of tables. */
const CATALOGS = [
  ...['pg_class', 'pg_attribute', 'pg_attrdef', 'pg_constraint', 'pg_index', 'pg_inherits'],
  ...['pg_trigger', 'pg_policy', 'pg_proc', 'pg_type', 'pg_namespace', 'pg_default_acl'],
  ...['pg_statistic', 'pg_database where datname = current_database()'],
  'pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())',
];
const SCHEMA = `select string_agg(found, ' ') as schema from (${CATALOGS.map(
  (name) => `select count(*) || ':' || max(xmin::text::bigint) as found from ${name}`,
).join(' union all ')}) t`;

const FILLED_TABLES = `select c.oid::regclass::text as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
    and pg_relation_size(c.oid) > 0 order by 1`;

const SEQUENCES = `select c.oid::regclass::text as name, pg_sequence_last_value(c.oid)::text as last
  from pg_class c where c.relkind = 'S'`;

const BUSY = `select pid from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
  union all select pid from pg_locks
  where locktype = 'advisory' and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())`;

/** How long what a test has left behind may take to end. */
const END_MS = 2_000;

export async function readPristine(client: pg.Client): Promise<Pristine> {
  const tables = await listFilled(client);
  return {
    schema: await readSchema(client),
    rows: await readRows(client, tables),
    sequences: await readSequences(client),
  };
}

/**
 * Deletes every row that wasn't there when the database was new.
 *
 * @param client a superuser's connection, which neither policies nor triggers apply to
 * @param connections process ids of the others that stay open
 * @returns false if the database can't be used again: something has been defined in it, or is still at work
 */
export async function emptyDatabase(
  client: pg.Client,
  pristine: Pristine,
  connections: readonly number[],
): Promise<boolean> {
  await client.query(
    `select pg_terminate_backend(pid, ${END_MS}) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and pid <> all($1::int[])`,
    [connections],
  );
  if (!(await becomesIdle(client)) || (await readSchema(client)) !== pristine.schema) return false;
  const rows = await readRows(client, [...pristine.rows.keys()]);
  if ([...pristine.rows].some(([name, text]) => rows.get(name) !== text)) return false;
  const filled = (await listFilled(client)).filter((name) => !pristine.rows.has(name));
  await restart(client, pristine);
  if (filled.length === 0) return true;
  await client.query(filled.map((name) => `delete from only ${name}`).join('; '));
  await client.query(`vacuum (skip_database_stats) ${filled.join(', ')}`);
  // Plans for tables that were never vacuumed expect rows in them.
  await client.query(
    `select pg_clear_relation_stats(n.nspname, c.relname)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = any($1::regclass[])`,
    [filled],
  );
  pristine.schema = await readSchema(client);
  return true;
}

async function becomesIdle(client: pg.Client): Promise<boolean> {
  for (const deadline = Date.now() + END_MS; Date.now() < deadline; await sleep(10)) {
    if ((await client.query(BUSY)).rowCount === 0) return true;
  }
  return false;
}

async function restart(client: pg.Client, { sequences }: Pristine): Promise<void> {
  const moved = [...(await readSequences(client))].filter(
    ([name, last]) => sequences.get(name) !== last,
  );
  for (const [name] of moved) {
    const last = sequences.get(name) ?? null;
    await client.query(
      `select setval(seqrelid, coalesce($2, seqstart), $2::bigint is not null)
       from pg_sequence where seqrelid = $1::regclass`,
      [name, last],
    );
  }
}

async function readSchema(client: pg.Client): Promise<string> {
  return (await client.query(SCHEMA)).rows[0].schema;
}

async function listFilled(client: pg.Client): Promise<string[]> {
  return (await client.query<{ name: string }>(FILLED_TABLES)).rows.map(({ name }) => name);
}

async function readRows(client: pg.Client, tables: readonly string[]) {
  const every = tables.map(
    (name) =>
      `select '${name}' as name, string_agg(t::text, ' ' order by t::text) as text from only ${name} t`,
  );
  const { rows } = await client.query<{ name: string; text: string }>(every.join(' union all '));
  return new Map(rows.map(({ name, text }) => [name, text]));
}

async function readSequences(client: pg.Client) {
  const { rows } = await client.query<{ name: string; last: string | null }>(SEQUENCES);
  return new Map(rows.map(({ name, last }) => [name, last]));
}

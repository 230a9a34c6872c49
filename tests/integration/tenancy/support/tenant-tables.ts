/** Tenant tables and their references, read from the catalog, so that a new one is covered too. */
import pg from 'pg';

export interface TenantTable {
  name: string;
  /** The column that says whose row it is. */
  owner: 'organization_id' | 'id';
  /** Those that can be written, as SQL lists them. */
  columns: string;
}

export async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export async function listTenantTables(client: pg.Client): Promise<TenantTable[]> {
  const { rows } = await client.query<{ name: string; columns: string }>(
    `select c.relname as name, (select string_agg(quote_ident(w.attname), ', ' order by w.attnum)
         from pg_attribute w where w.attrelid = c.oid and w.attnum > 0
           and not w.attisdropped and w.attgenerated = '') as columns
     from pg_class c
       left join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (a.attname is not null or c.relname = 'organization') order by 1`,
  );
  return rows.map((table) => ({
    ...table,
    owner: table.name === 'organization' ? 'id' : 'organization_id',
  }));
}

export interface TenantReference {
  name: string;
  child: string;
  parent: string;
  /** Columns of the child, and those of the parent that they name, in the same order. */
  columns: string[];
  parentColumns: string[];
  /** Columns of the child that a row is written with; the database makes the others. */
  written: string[];
}

/** Foreign keys between two tenant tables; a reference to the organization itself is none. */
export async function listTenantReferences(client: pg.Client): Promise<TenantReference[]> {
  const columnsOf = (table: string, keys: string) =>
    `array(select a.attname::text from unnest(${keys}) with ordinality k(n, i)
       join pg_attribute a on a.attrelid = ${table} and a.attnum = k.n order by k.i)`;
  const isTenant = (table: string) =>
    `exists (select from pg_attribute a where a.attrelid = ${table} and a.attname = 'organization_id')`;
  const { rows } = await client.query<TenantReference>(
    `select f.conname as name, f.conrelid::regclass::text as child, f.confrelid::regclass::text as parent,
       array(select a.attname::text from pg_attribute a where a.attrelid = f.conrelid and a.attnum > 0
         and not a.attisdropped and a.attgenerated = '') as written,
       ${columnsOf('f.conrelid', 'f.conkey')} as columns, ${columnsOf('f.confrelid', 'f.confkey')} as "parentColumns"
     from pg_constraint f
     where f.contype = 'f' and f.connamespace = 'public'::regnamespace
       and ${isTenant('f.conrelid')} and ${isTenant('f.confrelid')} order by 1`,
  );
  return rows;
}

/**
 * Runs one statement as a tenant (null: none), and takes it back.
 *
 * @returns its rows and their number, or the SQLSTATE of its refusal
 */
export async function probe(
  client: pg.Client,
  organizationId: string | null,
  sql: string,
): Promise<{ rows: Record<string, unknown>[]; count: number; refusal: string | null }> {
  await client.query('begin');
  try {
    if (organizationId !== null) {
      await client.query("select set_config('app.organization_id', $1, true)", [organizationId]);
    }
    const { rows, rowCount } = await client.query<Record<string, unknown>>(sql);
    return { rows, count: rowCount ?? 0, refusal: null };
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return { rows: [], count: 0, refusal: error.code ?? 'unknown' };
  } finally {
    await client.query('rollback');
  }
}

/**
 * Copies of an organization that the product's services have just made: the same rows with ids, names and times of
 * their own, written by two statements instead of dozens.
 */
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { decodeId, encodeId, type IdPrefix } from '@/lib/platform/ids';

/** A text with ids, names and times of one organization, written for another one. */
type Rewrite = (text: string) => string;

export interface TakenRows {
  /** Inserts the rows of `$1`, by table, and returns nothing. */
  insert: string;
  rows: string;
  /** Entries of the audit log, whose hashes differ. */
  audit: string;
  uuids: string[];
  /** What "now" was for the rows, and when the database made them; in epoch milliseconds. */
  now: number;
  takenAt: number;
  /** Every time is one of these two, so that there can be copies for another "now". */
  isMadeNow: boolean;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TYPED_ID = /\b([a-z]{3})_[0-9A-Za-z]{22}\b/g;
const TIME = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?)(\d*)\+00:00"/g;
/** No time of the database's own clock is further away from when a row was made. */
const JUST_NOW_MS = 60_000;

let open: { url: string; client: pg.Client } | undefined;

/** A superuser's connection, which neither policies nor triggers apply to. One database at a time. */
export async function superuserConnection(superuserUrl: string): Promise<pg.Client> {
  if (open?.url === superuserUrl) return open.client;
  await disconnectCopies();
  const client = new pg.Client({
    connectionString: superuserUrl,
    options: '-c session_replication_role=replica -c timezone=UTC',
  });
  // Tests end connections, and drop the database after their file.
  client.on('error', () => {});
  client.on('end', () => {
    if (open?.client === client) open = undefined;
  });
  await client.connect();
  open = { url: superuserUrl, client };
  return client;
}

export async function disconnectCopies(): Promise<void> {
  const client = open?.client;
  open = undefined;
  await client?.end();
}

/** @returns what an organization consists of */
export async function takeRows(
  superuserUrl: string,
  organizationId: string,
  now: Date,
): Promise<TakenRows> {
  const client = await superuserConnection(superuserUrl);
  const { rows: tables } = await client.query<{ name: string; columns: string; key: string }>(
    `select quote_ident(c.relname) as name,
       string_agg(quote_ident(a.attname), ', ' order by a.attnum) filter (where a.attgenerated = '') as columns,
       case c.relname when 'organization' then 'id = $1'
         when 'user_account' then 'id in (select user_id from membership where organization_id = $1)'
         else 'organization_id = $1' end as key
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'audit_head'
     group by c.relname
     having bool_or(a.attname = 'organization_id') or c.relname in ('organization', 'user_account')`,
  );
  const every = tables.map(
    ({ name, key }) => `select '${name}' as name, to_jsonb(t) as row from ${name} t where ${key}`,
  );
  const { rows: found } = await client.query<{ name: string; rows: string }>(
    `select name, jsonb_agg(row)::text as rows from (${every.join(' union all ')}) t group by name`,
    [organizationId],
  );
  const audit = found.find(({ name }) => name === 'audit_log')?.rows ?? '[]';
  const copied = found.filter(({ name }) => name !== 'audit_log');
  const rows = `{${copied.map((table) => `${JSON.stringify(table.name)}: ${table.rows}`).join(', ')}}`;
  const inserts = copied.map(({ name }, index) => {
    const columns = tables.find((table) => table.name === name)?.columns;
    return `t${index} as (insert into ${name} (${columns})
      select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb -> '${name}'))`;
  });
  const taken = {
    insert: `with ${inserts.join(', ')} select set_config('app.organization_id', $2, false)`,
    rows,
    audit,
    uuids: [...new Set(`${rows}${audit}`.match(UUID))].toSorted(),
    now: now.getTime(),
    takenAt: Date.now(),
  };
  const times = [...rows.matchAll(TIME)].map(([, time]) => Date.parse(`${time}Z`));
  return { ...taken, isMadeNow: times.every((at) => at === taken.now || isJustNow(at, taken)) };
}

function isJustNow(at: number, { takenAt }: Pick<TakenRows, 'takenAt'>): boolean {
  return Math.abs(at - takenAt) < JUST_NOW_MS;
}

/**
 * Writes the rows for another organization.
 *
 * @param renamed texts of the first one, and what stands in their place
 * @returns what gives the copy's form to other texts of the first one
 */
export async function copyRows(
  superuserUrl: string,
  taken: TakenRows,
  now: Date,
  renamed: readonly (readonly [string, string])[],
): Promise<Rewrite> {
  const ids = new Map(taken.uuids.map((id) => [id, uuidv7()]));
  const passedMs = Date.now() - taken.takenAt;
  const moved = (time: string) => {
    const at = Date.parse(`${time}Z`);
    if (at === taken.now) return now.getTime();
    return isJustNow(at, taken) ? at + passedMs : at;
  };
  const rewrite: Rewrite = (text) =>
    renamed.reduce(
      (changed, [before, after]) => changed.replaceAll(before, after),
      text
        .replace(UUID, (id) => ids.get(id) ?? id)
        .replace(TYPED_ID, (id, prefix: IdPrefix) => {
          const other = ids.get(decodeId(prefix, id) ?? '');
          return other ? encodeId(prefix, other) : id;
        })
        .replace(
          TIME,
          (_, time: string, rest: string) =>
            `"${new Date(moved(time)).toISOString().slice(0, -1)}${rest}+00:00"`,
        ),
    );
  const [first] = JSON.parse(taken.audit) as { organization_id: string }[];
  const client = await superuserConnection(superuserUrl);
  await client.query({
    name: `copy-${taken.takenAt}`,
    text: taken.insert,
    values: [rewrite(taken.rows), ids.get(first?.organization_id ?? '')],
  });
  await client.query(
    `select app.append_proven_audit((select jsonb_agg(value order by (value ->> 'seq')::int)
       from jsonb_array_elements($1::jsonb)))`,
    [rewrite(taken.audit)],
  );
  return rewrite;
}

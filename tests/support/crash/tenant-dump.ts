/**
 * Every row that an organization has, in a form that is the same for two organizations in which the
 * same happened: ids become the names of what they stand for, and clock times of the database a word.
 */
import pg from 'pg';
import type { CrashFixture } from './settlements';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TYPED_ID = /\b(?:org|prj|chn|ses|att|evt|rnr|whk|dlv|tok|enr|cnv|trn|qst)_[0-9A-Za-z]{22}\b/g;
const TIME = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)?/g;
/** Bytes that are different for every organization. */
const SECRETS = [
  'hash',
  'prev_hash',
  'key_hash',
  'token_hash',
  'secret_sealed',
  'secret_hint',
  'url_sealed',
];

export async function dumpTenant(
  superuserUrl: string,
  fixture: CrashFixture,
): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c
         join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`,
    );
    const names = await namesOfIds(client, fixture);
    // In one statement: there are some seventy tables, and a test compares dozens of dumps.
    const every = tables.map(
      ({ name }) =>
        `select '${name}' as name, to_jsonb(t) as row from ${name} t where organization_id = $1`,
    );
    const { rows } = await client.query<{ name: string; row: Record<string, unknown> }>(
      every.join(' union all '),
      [fixture.organizationId],
    );
    const dump: Record<string, string[]> = Object.fromEntries(tables.map(({ name }) => [name, []]));
    for (const { name, row } of rows) dump[name]?.push(plain(row, names, fixture));
    for (const lines of Object.values(dump)) lines.sort();
    return dump;
  } finally {
    await client.end();
  }
}

async function namesOfIds(client: pg.Client, { organizationId }: CrashFixture) {
  const { rows } = await client.query<{ id: string; name: string }>(
    `select id, 'chain ' || number as name from chain where organization_id = $1
     union all select id, 'session ' || number from session where organization_id = $1
     union all select a.id, 'attempt ' || s.number || '.' || a.number
       from attempt a join session s on s.id = a.session_id where a.organization_id = $1
     union all select id, 'project' from project where organization_id = $1
     union all select id, name from runner where organization_id = $1`,
    [organizationId],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function plain(
  row: Record<string, unknown>,
  names: ReadonlyMap<string, string>,
  { alice, now }: CrashFixture,
): string {
  const kept = Object.entries(row).filter(([column]) => !SECRETS.includes(column));
  return JSON.stringify(Object.fromEntries(kept))
    .replaceAll(UUID, (id) => `<${names.get(id) ?? 'id'}>`)
    .replaceAll(/[0-9a-f]{8}…/g, '<id>…')
    .replaceAll(TYPED_ID, (id) => `<${id.slice(0, 3)}>`)
    .replaceAll(TIME, (time) =>
      Date.parse(`${time.slice(0, 19)}Z`) === now.getTime() ? '<now>' : '<time>',
    )
    .replaceAll(alice.organizationSlug, '<slug>')
    .replaceAll(alice.actor.label, '<alice>')
    .replaceAll(/Acme [0-9a-f]{8}/g, '<organization>');
}

/** Sweeps read due rows of every organization in turns, and claim them once. */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deletePast, inTurns, listDue, lockDue } from '@/lib/platform/db/due';
import { query, systemRows } from '@/lib/platform/db/sql';
import { useTestDatabase } from '@/tests/support/database';

const database = useTestDatabase();

let owner: pg.Client;
beforeAll(async () => {
  owner = new pg.Client({ connectionString: database.superuserUrl });
  await owner.connect();
  await owner.query(
    `insert into organization (id, slug, name) select gen_random_uuid(), slug, slug from unnest(array['a', 'b', 'c']) slug`,
  );
});
afterAll(() => owner?.end());
beforeEach(() => owner.query('delete from oncall_calendar'));

const NOW = new Date('2026-11-28T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

/** Inserts calendars, named by organization, lane and the minutes for which they have been due: `a x 5`. */
async function insertDue(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const [slug = '', lane = '', minutes] = name.split(' ');
    await owner.query(
      `insert into oncall_calendar (id, organization_id, host, name, url_sealed, read_due_at)
        select gen_random_uuid(), id, $2, $3, '', $4 from organization where slug = $1`,
      [slug, name, lane, minutesAgo(Number(minutes))],
    );
  }
}

const due = (laned: boolean) =>
  query
    .selectFrom('oncallCalendar')
    .select(['id', 'organizationId', 'readDueAt as dueAt', 'host'])
    .select(sql<string>`name`.as(laned ? 'lane' : 'other'))
    .where('readDueAt', '<=', NOW);

const many = Array.from({ length: 5 }, (_, index) => `a x ${9 - index}`);

describe('[FLT-6.4] due rows are listed', () => {
  it.each([
    [
      'with the one that has been due longest first',
      ['a x 1', 'a x 3', 'a x 2'],
      {},
      ['a x 3', 'a x 2', 'a x 1'],
    ],
    ['only once they are due', ['a x -1', 'a x 0'], {}, ['a x 0']],
    [
      'in turns of the organizations',
      [...many, 'b x 2', 'b x 1', 'c x 3'],
      {},
      ['a x 9', 'c x 3', 'b x 2', 'a x 8'],
    ],
    ['up to so many of each', [...many, 'b x 2'], { perOrganization: 1 }, ['a x 9', 'b x 2']],
    [
      'in turns of the lanes of an organization',
      ['a x 9', 'a x 8', 'a x 7', 'a y 1', 'b x 2'],
      { perLane: 3 },
      ['a x 9', 'b x 2', 'a y 1', 'a x 8'],
    ],
    ['up to so many of each lane', ['a x 9', 'a x 8', 'a y 1'], { perLane: 1 }, ['a x 9', 'a y 1']],
  ])('%s', async (_, rows, share, expected) => {
    await insertDue(rows);
    const listed = await listDue('a test', due('perLane' in share), { limit: 4, ...share });
    expect(listed.map(({ host }) => host)).toEqual(expected);
  });

  it('without those that fail each time, until all had their turn', async () => {
    await insertDue(['a x 5', 'a x 4', 'a x 3', 'a x 2', 'a x 1']);
    const list = inTurns(2, (without) => listDue('a test', due(false), { limit: 2, without }));
    const names = async () => (await list()).map(({ host }) => host);
    expect(await names()).toEqual(['a x 5', 'a x 4']);
    expect(await names()).toEqual(['a x 3', 'a x 2']);
    expect(await names()).toEqual(['a x 1']);
    expect(await names()).toEqual(['a x 5', 'a x 4']);
  });
});

const claim = (share: { limit: number; perOrganization?: number }) =>
  query
    .with('due', () =>
      lockDue({
        ...{ table: 'oncallCalendar', key: 'id', ...share },
        dueAt: ({ ref }) => ref('readDueAt'),
        isDue: (row) => row('readDueAt', '<=', NOW),
      }),
    )
    .updateTable('oncallCalendar as c')
    .from('due')
    .set({ readDueAt: minutesAgo(-5) })
    .whereRef('c.organizationId', '=', 'due.organizationId')
    .whereRef('c.id', '=', 'due.id')
    .returning('c.host');

async function claimed(limit: number, rest = {}): Promise<string[]> {
  const rows = await systemRows('a test', claim({ limit, ...rest }));
  return rows.map(({ host }) => host).toSorted();
}

describe('[FLT-6.4] due rows are claimed', () => {
  it.each([
    ['in turns of the organizations', [...many, 'b x 1'], {}, ['a x 8', 'a x 9', 'b x 1']],
    ['up to so many of each', [...many, 'b x 1'], { perOrganization: 1 }, ['a x 9', 'b x 1']],
    ['only once they are due', ['a x -1', 'b x 0'], {}, ['b x 0']],
  ] as const)('%s', async (_, rows, rest, expected) => {
    await insertDue(rows);
    expect(await claimed(3, rest)).toEqual(expected);
  });

  it('once: those that are put off come after the others', async () => {
    await insertDue(['a x 3', 'a x 2', 'a x 1']);
    expect(await claimed(2)).toEqual(['a x 2', 'a x 3']);
    expect(await claimed(2)).toEqual(['a x 1']);
    expect(await claimed(2)).toEqual([]);
  });

  it('without those that another process has locked, and not after it has put them off', async () => {
    await insertDue(['a x 3', 'a x 2', 'a x 1']);
    await owner.query('begin');
    await owner.query(
      `update oncall_calendar set read_due_at = now() + interval '1 day' where host = 'a x 3'`,
    );
    expect(await claimed(2)).toEqual(['a x 1', 'a x 2']);
    await owner.query('commit');
    expect(await claimed(2)).toEqual([]);
  });

  it('by each of several processes at once, never twice', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => `a x ${index + 1}`);
    await insertDue(rows);
    const all = await Promise.all(Array.from({ length: 6 }, () => claimed(5)));
    const hosts = all.flat();
    expect(new Set(hosts).size).toBe(hosts.length);
    while (true) {
      const more = await claimed(5);
      if (more.length === 0) break;
      hosts.push(...more);
    }
    expect(hosts.toSorted()).toEqual(rows.toSorted());
  });

  it('up to the limit, also where PostgreSQL joins by nested loops', async () => {
    await insertDue(many);
    await owner.query(
      'set enable_hashjoin = off; set enable_mergejoin = off; set enable_material = off',
    );
    const { sql: text, parameters } = claim({ limit: 2 }).compile();
    const { rows } = await owner.query(
      text,
      parameters.map((value) => (value instanceof Date ? value.toISOString() : value)),
    );
    await owner.query('reset enable_hashjoin; reset enable_mergejoin; reset enable_material');
    expect(rows).toHaveLength(2);
  });
});

it('rows whose retention has passed are deleted, up to a limit', async () => {
  await insertDue(['a x 9', 'a x 8', 'b x 7', 'b x 1']);
  const deleteSome = () =>
    deletePast('a test', 'oncallCalendar', (row) => row('readDueAt', '<', minutesAgo(5)), 2);
  expect([await deleteSome(), await deleteSome(), await deleteSome()]).toEqual([2, 1, 0]);
  const { rows } = await owner.query('select host from oncall_calendar');
  expect(rows).toEqual([{ host: 'b x 1' }]);
});

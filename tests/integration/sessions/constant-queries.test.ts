import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRunners } from '@/lib/fleet/manage-runners';
import { getChainLog } from '@/lib/insight/chains/chain-log';
import { getChain, getChainWork } from '@/lib/insight/chains/get-chain';
import { browseChains, listChains } from '@/lib/insight/chains/list-chains';
import { getOverview, getServiceHealth } from '@/lib/insight/dashboard/get-overview';
import { listFeed } from '@/lib/insight/feed';
import { searchText } from '@/lib/insight/search/search-text';
import { listEvents } from '@/lib/insight/sessions/events';
import { getSession } from '@/lib/insight/sessions/get-session';
import { browseSessions, listSessions } from '@/lib/insight/sessions/list-sessions';
import type { SessionPage } from '@/lib/insight/sessions/schema';
import { getSpend } from '@/lib/insight/spend/get-spend';
import type { TenantScope } from '@/lib/platform/db/scope';
import { writeHistory } from '@/tests/bench/support/history';
import { countStatements } from '@/tests/bench/support/statements';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { connect } from '../tenancy/support/tenant-tables';

const database = useTestDatabase();
const DAY_MS = 86_400_000;

interface Sized {
  scope: TenantScope;
  slug: string;
  projectId: string;
  /** Rows that a list asks for; the organization has at least as many of each kind. */
  rows: number;
}

let superuser: pg.Client;
let few: Sized;
let many: Sized;

beforeAll(async () => {
  superuser = await connect(database.superuserUrl);
  few = await makeSized(10);
  many = await makeSized(1_000);
});
afterAll(() => superuser.end());

/** A project with that many chains, each session with that many events, and copies of it beside it. */
async function makeSized(rows: number): Promise<Sized> {
  const cast = await makeCast();
  const projects = Math.max(2, rows / 10);
  await writeHistory(superuser, [cast.projectId], {
    projects,
    sessions: rows * projects * 0.12,
    eventsPerSession: 3,
  });
  await addChains(cast, rows);
  return { scope: cast.alice, slug: cast.projectSlug, projectId: cast.projectId, rows };
}

/** Copies the project's newest chain and its sessions until it has so many, and lengthens one log. */
async function addChains({ projectId }: Cast, rows: number): Promise<void> {
  await superuser.query('set session_replication_role = replica');
  await superuser.query(
    `create temp table added as select uuidv7() as id, c.* from
       (select to_jsonb(c) as row, c.number from chain c where project_id = $1 order by number desc limit 1) c,
       generate_series(1, $2::int) n`,
    [projectId, rows],
  );
  await superuser.query(
    `insert into chain select r.* from (select id, row, number + row_number() over () as n from added) a,
       jsonb_populate_record(null::chain, a.row || jsonb_build_object(
         'id', a.id, 'number', a.n, 'slot_at', null, 'trigger', 'manual')) r`,
  );
  await superuser.query(
    `insert into session select r.* from
       (select id, row_number() over () as n from added) a,
       (select to_jsonb(s) as row, s.number from session s where project_id = $1 order by number desc limit 1) s,
       jsonb_populate_record(null::session, s.row || jsonb_build_object(
         'id', uuidv7(), 'chain_id', a.id, 'number', s.number + a.n, 'tier', 1, 'parent_session_id', null)) r`,
    [projectId],
  );
  await superuser.query(
    `insert into session_event (organization_id, session_id, seq, kind, at, payload)
     select organization_id, id, n, 'text', now(), '{"kind": "text", "text": "A line."}'
     from (select * from session where project_id = $1 order by number desc limit 1) s, generate_series(1, $2::int) n`,
    [projectId, rows],
  );
  await superuser.query(
    `update session set last_seq = $2 where id = (select id from session where project_id = $1 order by number desc limit 1)`,
    [projectId, rows],
  );
  await superuser.query(
    `update project set last_chain_number = (select max(number) from chain where project_id = $1),
       last_session_number = (select max(number) from session where project_id = $1) where id = $1`,
    [projectId],
  );
  await superuser.query('set session_replication_role = default');
  await superuser.query('drop table added');
}

async function newest({ projectId }: Sized): Promise<{ chains: number; sessions: number }> {
  const { rows } = await superuser.query<{ chains: number; sessions: number }>(
    'select last_chain_number as chains, last_session_number as sessions from project where id = $1',
    [projectId],
  );
  const [row] = rows;
  if (!row) throw new Error('The project is gone.');
  return row;
}

const countSessions = ({ groups }: SessionPage) =>
  groups.reduce((sum, { sessions }) => sum + sessions.length, 0);
const since = () => new Date(Date.now() - 120 * DAY_MS);

/** Every read behind a list or a page, and how many rows of what it is about it came with. */
const READS: Record<string, (size: Sized) => Promise<number>> = {
  'the frame of every page': async ({ scope }) => (await getOverview(scope)).projects.length,
  'a list of sessions': async ({ scope, rows }) =>
    countSessions(await browseSessions(scope, { limit: rows })),
  'a list of a project’s sessions': async ({ scope, slug, rows }) =>
    countSessions(await browseSessions(scope, { project: slug, since: since(), limit: rows })),
  'sessions through the API': async ({ scope, rows }) =>
    (await listSessions(scope, { kind: 'tier', limit: rows })).data.length,
  'a list of chains': async ({ scope, slug, rows }) =>
    (await listChains(scope, { project: slug, limit: rows })).data.length,
  'a list of chains with filters': async ({ scope, slug, rows }) =>
    (await browseChains(scope, { project: slug, limit: rows })).data.length,
  'the feed': async ({ scope, rows }) => (await listFeed(scope, { limit: rows })).data.length,
  'a session page with its log': async (size) => {
    const { sessions } = await newest(size);
    const session = await getSession(size.scope, { project: size.slug, number: sessions });
    return (await listEvents(size.scope, session.id, { limit: size.rows })).events.length;
  },
  'a chain page with its log': async (size) => {
    const { chains } = await newest(size);
    const chain = await getChain(size.scope, { project: size.slug, number: chains });
    await getChainWork(
      size.scope,
      chain.id,
      chain.sessions.map(({ id }) => id),
    );
    const logs = await getChainLog(size.scope, chain.id);
    return logs.length;
  },
  'a project’s dashboard': async ({ scope, slug, projectId }) => {
    await getServiceHealth(scope, projectId);
    return (await listChains(scope, { project: slug, limit: 10 })).data.length;
  },
  'the runners': async ({ scope }) => (await listRunners(scope, { limit: 100 })).data.length,
  'the spend by project': async ({ scope }) => {
    const to = new Date(Date.now() + DAY_MS);
    return (await getSpend(scope, { from: since(), to, groupBy: 'project' })).rows.length;
  },
  'the search': async ({ scope }) => {
    await searchText(scope, 'systemctl status');
    return 0;
  },
};

/** Those whose number of rows is the organization's own and not the list's limit. */
const GROWING = new Set([
  'a list of sessions',
  'a list of a project’s sessions',
  'sessions through the API',
  'a list of chains',
  'a list of chains with filters',
  'a session page with its log',
]);

/** With more matches than lists count to, the cost of all of them isn't summed: one query less. */
const NOT_SUMMED = new Set(['a list of sessions']);

describe('[FLT-6.1] the number of queries', () => {
  it.each(Object.entries(READS))('is the same at 10 and at 1,000 rows: %s', async (name, read) => {
    const [smaller, larger] = [await read(few), await read(many)];
    if (GROWING.has(name)) expect([smaller, larger]).toEqual([few.rows, many.rows]);
    const queries = [
      await countStatements(() => read(few)),
      await countStatements(() => read(many)),
    ];
    expect(queries[0]).toBeGreaterThan(1);
    expect(queries[1]).toBe((queries[0] ?? 0) - (NOT_SUMMED.has(name) ? 1 : 0));
  });
});

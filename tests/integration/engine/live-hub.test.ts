/** Hints over LISTEN: one connection, ids only, and nothing missed for good when it breaks. */

import pg from 'pg';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeOrganization, pauseOrganization } from '@/lib/identity/organizations/service';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { Topic } from '@/lib/platform/live/hint';
import { liveHub } from '@/lib/platform/live/hub';
import { logger } from '@/lib/platform/logger';
import { pauseProject } from '@/lib/projects/pauses';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, eventsOf } from '@/tests/support/cast/scripted-attempt';
import { testCluster, useTestDatabase } from '@/tests/support/database';
import { send, startOne } from './support/running';

const database = useTestDatabase();
let cast: Cast;

beforeEach(async () => {
  cast = await makeCast();
});
afterAll(() => liveHub().close());

interface Heard {
  seq: number | null;
  isResync: boolean;
}

function listen(topic: Topic): { heard: Heard[]; end: () => void } {
  const heard: Heard[] = [];
  return { heard, end: liveHub().subscribe(topic, (hint) => heard.push(hint)) };
}

const LISTENERS = `select pid from pg_stat_activity where datname = current_database() and query like 'listen "tierwatch_%'`;

async function asSuperuser<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const isListening = () =>
  vi.waitFor(async () => expect(await asSuperuser(LISTENERS)).toHaveLength(1), { timeout: 60_000 });

const receives = (heard: Heard[], hint: Partial<Heard>) =>
  vi.waitFor(() => expect(heard).toContainEqual(expect.objectContaining(hint)), {
    timeout: 60_000,
  });

describe('the live hub', () => {
  it('tells of a session’s newest event, of its project and of its organization', async () => {
    await startOne(cast);
    const spec = await claimNext(cast.runner);
    const session = listen(`s:${spec.sessionId}`);
    const other = listen(`s:${cast.projectId}`);
    const project = listen(`p:${cast.projectId}`);
    const organization = listen(`o:${cast.alice.organizationId}`);
    await isListening();
    await send(cast.runner, spec, eventsOf(spec, {}));
    // A listener may have read its rows before the connection stood.
    await receives(session.heard, { isResync: true });
    await receives(session.heard, { seq: 5, isResync: false });
    await inTransaction(cast.alice, (db) =>
      db.chain.updateMany({ data: { statusText: 'Changed.' } }),
    );
    await receives(project.heard, { isResync: false });
    await receives(organization.heard, { isResync: false });
    expect(other.heard.filter((hint) => !hint.isResync)).toEqual([]);
    for (const each of [session, other, project, organization]) each.end();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['renamed', () => changeOrganization(cast.alice, { name: 'Renamed' })],
    ['paused', () => pauseOrganization(cast.alice, { reason: 'An exercise' })],
  ])('tells every page of an organization that it was %s', async (_what, act) => {
    const project = listen(`p:${cast.projectId}`);
    const organization = listen(`o:${cast.alice.organizationId}`);
    await everythingSoFar(project.heard);
    organization.heard.length = 0;
    await act();
    await receives(project.heard, { isResync: false });
    await receives(organization.heard, { isResync: false });
    for (const each of [project, organization]) each.end();
  });

  it('tells the pages of a project that it was paused', async () => {
    const project = listen(`p:${cast.projectId}`);
    await everythingSoFar(project.heard);
    await pauseProject(cast.alice, cast.projectSlug, { reason: 'An exercise' });
    await receives(project.heard, { isResync: false });
    project.end();
  });

  /** Waits for what was sent before, and clears the list. */
  async function everythingSoFar(heard: Heard[]) {
    await isListening();
    const last = { t: 'p', id: cast.projectId, seq: 777 };
    await asSuperuser(`select app.send_hint('${JSON.stringify(last)}')`);
    await receives(heard, { seq: 777 });
    heard.length = 0;
  }

  it('keeps one connection for all listeners', async () => {
    const listeners = Array.from({ length: 50 }, (_, index) => listen(`p:${index}`));
    await isListening();
    for (const each of listeners) each.end();
  });

  it('[SAS-4.2] comes back after its connection was cut, and everyone is told to look again', async () => {
    const { heard, end } = listen(`p:${cast.projectId}`);
    await isListening();
    for (let cut = 1; cut <= 3; cut += 1) {
      heard.length = 0;
      await asSuperuser(`select pg_terminate_backend(pid) from (${LISTENERS}) l`);
      await receives(heard, { isResync: true });
      await change(cut);
      await receives(heard, { isResync: false });
    }
    end();
  });

  it('keeps trying while the database takes no connections', async () => {
    const warn = vi.spyOn(logger, 'warn');
    const { heard, end } = listen(`p:${cast.projectId}`);
    await isListening();
    const cluster = new pg.Client({ connectionString: testCluster().superuserUrl });
    await cluster.connect();
    const accept = (accepts: boolean) =>
      cluster.query(`alter database ${database.name} allow_connections ${accepts}`);
    try {
      heard.length = 0;
      await accept(false);
      await cluster.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [database.name],
      );
      await vi.waitFor(() => expect(warn.mock.calls.length).toBeGreaterThan(1), {
        timeout: 60_000,
      });
      expect(heard).toEqual([]);
    } finally {
      await accept(true);
      await cluster.end();
    }
    await receives(heard, { isResync: true });
    await change(1);
    await receives(heard, { isResync: false });
    end();
  });

  /** Something in the project that its listeners receive. */
  async function change(round: number) {
    if (round === 1) return startOne(cast);
    return inTransaction(cast.alice, (db) =>
      db.chain.updateMany({ data: { statusText: `${round}` } }),
    );
  }

  it('says nothing more to a listener that has left', async () => {
    const left = listen(`p:${cast.projectId}`);
    const stays = listen(`p:${cast.projectId}`);
    await isListening();
    left.end();
    // Until then, the new connection may have asked it to look again.
    left.heard.length = 0;
    await startOne(cast);
    await receives(stays.heard, { isResync: false });
    expect(left.heard).toEqual([]);
    stays.end();
  });

  it('does not trust what it receives: a forged hint is no more than a hint', async () => {
    const { heard, end } = listen(`p:${cast.projectId}`);
    await isListening();
    const client = new pg.Client({ connectionString: database.appUrl });
    await client.connect();
    const send = 'select pg_notify((select name from app.live_channel), $1)';
    for (const payload of ['nonsense', '[]', '{"t":"p"}', `{"t":"p","id":"${cast.projectId}"}`]) {
      await client.query(send, [payload]);
    }
    await client.end();
    await receives(heard, { seq: null, isResync: false });
    expect(heard.filter((hint) => !hint.isResync)).toHaveLength(1);
    end();
  });
});

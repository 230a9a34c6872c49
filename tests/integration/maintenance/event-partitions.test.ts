import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pruneSessions } from '@/lib/engine/retention';
import { changeOrganization } from '@/lib/identity/organizations/service';
import { listEvents, readSessionNews } from '@/lib/insight/sessions/events';
import { encodeId } from '@/lib/platform/ids';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { connect, probe } from '../tenancy/support/tenant-tables';
import {
  countEvents,
  DAY_MS,
  listPartitions,
  makePartitions,
  partitionAt,
  partitionsOf,
  type WrittenSession,
  writeSession,
} from './support/sessions';

const database = useTestDatabase();
const NOW = new Date();
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const NO_RIGHT = '42501';
let superuser: pg.Client;
let app: pg.Client;
let acme: Cast;

beforeAll(async () => {
  superuser = await connect(database.superuserUrl);
  app = await connect(database.appUrl);
});
afterAll(async () => {
  await superuser.end();
  await app.end();
});
beforeEach(async () => {
  await superuser.query('delete from organization');
  acme = await makeCast();
  await makePartitions(superuser, daysAgo(100), NOW);
});

const keepLogs = (cast: Cast, days: number) =>
  changeOrganization(cast.alice, { logRetentionDays: days });

describe('[FLT-6.3] partitions of session events', () => {
  it('hold the events of the sessions of their week', async () => {
    const times = [NOW, daysAgo(7), daysAgo(21)];
    const sessions: WrittenSession[] = [];
    for (const at of times) sessions.push(await writeSession(superuser, acme, { at }));
    expect(await partitionsOf(superuser, sessions)).toEqual(times.map(partitionAt));
  });

  it('are read and written without the others', async () => {
    const { id } = await writeSession(superuser, acme, { at: daysAgo(21) });
    const organization = `organization_id = '${acme.alice.organizationId}'`;
    for (const sql of [
      `select * from session_event where ${organization} and session_id = '${id}' order by seq`,
      `delete from session_event where ${organization} and session_id = '${id}'`,
    ]) {
      const { rows } = await superuser.query<{ 'QUERY PLAN': string }>(`explain ${sql}`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      const used = new Set([...plan.matchAll(/ on (session_event_\w+)/g)].map(([, name]) => name));
      expect([...used]).toEqual([partitionAt(daysAgo(21))]);
    }
  });

  it('are made four weeks ahead, by the migration and by the sweep', async () => {
    const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS);
    const ahead = [0, 7, 14, 21].map((days) => partitionAt(inDays(days)));
    expect(await listPartitions(superuser)).toEqual(expect.arrayContaining(ahead));
    const later = inDays(60);
    await pruneSessions(later);
    const [session] = [await writeSession(superuser, acme, { at: inDays(80) })];
    expect(await partitionsOf(superuser, [session])).toEqual([partitionAt(inDays(80))]);
  });

  it('take over events that had to go to the default partition', async () => {
    const at = daysAgo(3);
    const [partition] = [partitionAt(at)];
    await superuser.query(`drop table partitions.${partition}`);
    const session = await writeSession(superuser, acme, { at });
    expect(await partitionsOf(superuser, [session])).toEqual(['session_event_default']);
    await pruneSessions(NOW);
    expect(await partitionsOf(superuser, [session])).toEqual([partition]);
    expect(await countEvents(superuser, [session])).toEqual([session.events]);
  });

  it('wake up readers once for each session and statement, and follow their session’s deletion', async () => {
    const heard: string[] = [];
    const listener = await connect(database.superuserUrl);
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
    const { rows } = await listener.query<{ name: string }>('select name from app.live_channel');
    await listener.query(`listen "${rows[0]?.name}"`);
    const { id } = await writeSession(superuser, acme, { at: daysAgo(8), events: 5 });
    await listener.query('select 1');
    await listener.end();
    expect(
      heard.filter((text) => text.includes('"t" : "s"')).map((text) => JSON.parse(text)),
    ).toEqual([{ t: 's', id, seq: 5 }]);
    await superuser.query('delete from session where id = $1', [id]);
    expect(await countEvents(superuser, [{ id, events: 5 }])).toEqual([0]);
  });
});

describe('[FLT-6.3] [SAS-1.3] a partition that is addressed by its name', () => {
  it('is closed to the application, the system and the runner, for its tenant as for others', async () => {
    const { id } = await writeSession(superuser, acme, { at: NOW });
    const clients = [app, await connect(database.systemUrl), await connect(database.runnerUrl)];
    const names = [...(await listPartitions(superuser))];
    expect(names).toContain('session_event_default');
    const open: string[] = [];
    for (const client of clients) {
      for (const name of names) {
        for (const sql of [
          `select * from partitions.${name}`,
          `delete from partitions.${name}`,
          `truncate partitions.${name}`,
          `drop table partitions.${name}`,
          `alter table session_event detach partition partitions.${name}`,
          `insert into partitions.${name} (organization_id, session_id, seq, kind, at, payload)
             values ('${acme.alice.organizationId}', '${id}', 99, 'text', now(), '{}')`,
        ]) {
          const { refusal } = await probe(client, acme.alice.organizationId, sql);
          if (refusal !== NO_RIGHT) open.push(`${sql}: ${refusal}`);
        }
      }
    }
    expect(open).toEqual([]);
    for (const client of clients.slice(1)) await client.end();
  });

  it('shows another tenant nothing through the parent either', async () => {
    const session = await writeSession(superuser, acme, { at: NOW });
    const other = await makeCast();
    const read = `select seq from session_event where session_id = '${session.id}'`;
    expect((await probe(app, other.alice.organizationId, read)).rows).toEqual([]);
    expect((await probe(app, acme.alice.organizationId, read)).rows).toHaveLength(session.events);
  });

  it('is dropped, made and counted by the sweep’s login alone', async () => {
    for (const sql of [
      "select app.drop_event_partition('session_event_default', now())",
      'select app.make_event_partitions(now(), now())',
      'select * from app.unplaced_events()',
      'select app.longest_log_retention()',
    ]) {
      expect(await probe(app, acme.alice.organizationId, sql)).toMatchObject({ refusal: NO_RIGHT });
    }
  });
});

describe('[FLT-6.3] retention of session events', () => {
  it('drops a partition once it is past every organization’s period, and leaves the others', async () => {
    const other = await makeCast();
    const old = await writeSession(superuser, acme, { at: daysAgo(45) });
    const others = await writeSession(superuser, other, { at: daysAgo(45) });
    const kept = await writeSession(superuser, acme, { at: daysAgo(10) });
    await pruneSessions(NOW);
    expect(await countEvents(superuser, [old, others, kept])).toEqual([0, 0, kept.events]);
    const names = await listPartitions(superuser);
    expect(names).not.toContain(partitionAt(daysAgo(45)));
    expect(names).toContain(partitionAt(daysAgo(10)));
    expect((await superuser.query('select from session')).rowCount).toBe(3);
  });

  it('deletes the logs of an organization with a shorter period, and leaves those of the others beside them', async () => {
    const other = await makeCast();
    await keepLogs(acme, 5);
    await keepLogs(other, 90);
    const past = await writeSession(superuser, acme, { at: daysAgo(6) });
    const inside = await writeSession(superuser, acme, { at: daysAgo(4) });
    const others = await writeSession(superuser, other, { at: daysAgo(60) });
    const oldest = await writeSession(superuser, acme, { at: daysAgo(60) });
    await pruneSessions(NOW);
    expect(await countEvents(superuser, [past, inside, others, oldest])).toEqual([
      0,
      inside.events,
      others.events,
      0,
    ]);
    expect(await listPartitions(superuser)).toContain(partitionAt(daysAgo(60)));
  });

  it('keeps the partition of a session that has not ended, or ended within the period', async () => {
    const running = await writeSession(superuser, acme, { at: daysAgo(45), endedAt: null });
    const long = await writeSession(superuser, acme, { at: daysAgo(60), endedAt: daysAgo(20) });
    const beside = await writeSession(superuser, acme, { at: daysAgo(45) });
    await pruneSessions(NOW);
    expect(await countEvents(superuser, [running, long, beside])).toEqual([
      running.events,
      long.events,
      0,
    ]);
  });

  it('keeps a partition when an organization has made its period longer in between', async () => {
    await writeSession(superuser, acme, { at: daysAgo(45) });
    await keepLogs(acme, 60);
    const name = partitionAt(daysAgo(45));
    const drop = 'select app.drop_event_partition($1, now()) as dropped';
    expect((await superuser.query(drop, [name])).rows).toEqual([{ dropped: false }]);
    await keepLogs(acme, 30);
    expect((await superuser.query(drop, [name])).rows).toEqual([{ dropped: true }]);
    expect((await superuser.query(drop, ['session_event_default'])).rows).toEqual([
      { dropped: false },
    ]);
  });

  it('lets nobody queue behind a long reader: writers go on, and the next sweep drops', async () => {
    const old = await writeSession(superuser, acme, { at: daysAgo(45) });
    const live = await writeSession(superuser, acme, { at: NOW, endedAt: null });
    const reader = await connect(database.appUrl);
    await reader.query('begin');
    await reader.query('select count(*) from session_event');
    const sweep = pruneSessions(NOW);
    let isOver = false;
    void sweep.finally(() => {
      isOver = true;
    });
    let written = 0;
    // A writer that waited for the reader would never come back: the reader ends after the sweep.
    while (!isOver) {
      written += 1;
      await superuser.query(
        `insert into session_event (organization_id, session_id, seq, kind, at, payload)
         values ($1, $2, $3, 'text', now(), '{}')`,
        [acme.alice.organizationId, live.id, live.events + written],
      );
    }
    await sweep;
    expect(written).toBeGreaterThan(10);
    expect(await countEvents(superuser, [old])).toEqual([old.events]);
    await reader.query('commit');
    await reader.end();
    await pruneSessions(NOW);
    expect(await countEvents(superuser, [old, live])).toEqual([0, live.events + written]);
  });

  it('holds no lock on sessions while it drops', async () => {
    await writeSession(superuser, acme, { at: daysAgo(45) });
    await superuser.query('begin');
    try {
      await superuser.query('select app.drop_event_partition($1, now())', [
        partitionAt(daysAgo(45)),
      ]);
      const { rows } = await superuser.query<{ name: string; mode: string }>(
        `select c.relname as name, mode from pg_locks l join pg_class c on c.oid = l.relation
         where l.pid = pg_backend_pid() and mode like '%Exclusive%' and c.relname in ('session', 'organization', 'session_event')`,
      );
      expect(rows).toEqual([{ name: 'session_event', mode: 'AccessExclusiveLock' }]);
    } finally {
      await superuser.query('rollback');
    }
  });
});

describe('[FLT-6.3] a reader of a log that retention deletes', () => {
  it('is told so, at the next page and from the start, and its stream ends', async () => {
    const { id } = await writeSession(superuser, acme, { at: daysAgo(45), events: 40 });
    const sessionId = encodeId('ses', id);
    const first = await listEvents(acme.alice, sessionId, { limit: 20 });
    expect(first).toMatchObject({ logState: 'kept', lastSeq: 40 });
    await pruneSessions(NOW);
    for (const after of [20, 0]) {
      expect(await listEvents(acme.alice, sessionId, { after, limit: 20 })).toMatchObject({
        events: [],
        logState: 'deleted_by_retention',
        lastSeq: 40,
      });
      expect(await readSessionNews(acme.alice, sessionId, { after, shown: null })).toMatchObject({
        isComplete: true,
        logState: 'deleted_by_retention',
      });
    }
  });

  it('gets pages or that state, and no error, while partitions are dropped and made', async () => {
    const sessions: WrittenSession[] = [];
    for (const days of [45, 52, 59, 66, 73, 80]) {
      sessions.push(await writeSession(superuser, acme, { at: daysAgo(days), events: 50 }));
    }
    let isOver = false;
    const reads = { kept: 0, deleted_by_retention: 0 };
    const read = async ({ id }: WrittenSession) => {
      const page = await listEvents(acme.alice, encodeId('ses', id), { limit: 10 });
      expect(page.events.length).toBe(page.logState === 'kept' ? 10 : 0);
      reads[page.logState] += 1;
    };
    await Promise.all(sessions.map(read));
    const readers = sessions.map(async (session) => {
      for (let last = false; !last; ) {
        last = isOver;
        await read(session);
      }
    });
    await pruneSessions(NOW).finally(() => {
      isOver = true;
    });
    await Promise.all(readers);
    expect(reads.kept).toBeGreaterThan(0);
    expect(reads.deleted_by_retention).toBeGreaterThan(0);
    expect(await countEvents(superuser, sessions)).toEqual(sessions.map(() => 0));
  });

  it('sees nothing of it before the session has ended or had an event', async () => {
    const running = await writeSession(superuser, acme, { at: NOW, endedAt: null, events: 0 });
    const silent = await writeSession(superuser, acme, { at: NOW, events: 0 });
    for (const { id } of [running, silent]) {
      const page = await listEvents(acme.alice, encodeId('ses', id), { limit: 10 });
      expect(page.logState).toBe('kept');
    }
  });
});

import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate, prismaEnvironment, runPrisma } from '@/scripts/bootstrap/prisma.mjs';
import { useTestDatabase } from '@/tests/support/database';
import { connect, probe } from '../tenancy/support/tenant-tables';
import {
  makeDatabaseBefore,
  migrationNamed,
  type OldDatabase,
  statementsOf,
} from './support/old-database';
import { DAY_MS, listPartitions, partitionAt } from './support/sessions';

const database = useTestDatabase();
const SESSIONS = 60;
const EVENTS = 4;
const ORGANIZATION = uuidv7();
const PROJECT = uuidv7();
let template: OldDatabase;
let old: OldDatabase;
let superuser: pg.Client;

/** Sessions of two months, one that runs and one whose id names a time in the future. */
async function writeOldRows(url: string): Promise<void> {
  const client = await connect(url);
  const at = (days: number) => new Date(Date.now() - days * DAY_MS);
  await client.query(`insert into organization (id, slug, name) values ($1, 'acme', 'Acme')`, [
    ORGANIZATION,
  ]);
  await client.query(
    `insert into project (id, organization_id, slug, name) values ($1, $2, 'web', 'Web')`,
    [PROJECT, ORGANIZATION],
  );
  const times = [...Array.from({ length: SESSIONS - 1 }, (_, day) => at(day)), at(-120)];
  for (const [index, time] of times.entries()) {
    await client.query(
      `insert into session (id, organization_id, project_id, number, kind, tier, status, model,
         project_version, created_at, ended_at, last_seq)
       values ($1, $2, $3, $4, 'ask', 1, 'completed', 'haiku', 1, $5, $5, ${EVENTS})`,
      [uuidv7({ msecs: time.getTime() }), ORGANIZATION, PROJECT, index + 1, time],
    );
  }
  await client.query(
    `insert into session_event (organization_id, session_id, seq, attempt_id, attempt_seq, kind, at, payload)
     select organization_id, id, n, id, n, 'text', created_at, jsonb_build_object('text', n)
     from session, generate_series(1, ${EVENTS}) n`,
  );
  await client.end();
}

beforeAll(async () => {
  template = await makeDatabaseBefore(database, 'event_attempt_key', `${database.name}_old`);
  await writeOldRows(template.superuserUrl);
});
afterAll(() => template.drop());

beforeEach(async () => {
  const name = `${database.name}_copy`;
  const copyAt = (url: string) => url.replace(/_old$/, '_copy');
  const admin = await connect(database.superuserUrl);
  await admin.query(`create database ${name} template ${database.name}_old owner tierwatch_owner`);
  await admin.query(`grant connect on database ${name} to tierwatch_app`);
  await admin.end();
  old = {
    ownerUrl: copyAt(template.ownerUrl),
    appUrl: copyAt(template.appUrl),
    superuserUrl: copyAt(template.superuserUrl),
    drop: async () => {
      const again = await connect(database.superuserUrl);
      await again.query(`drop database ${name} with (force)`);
      await again.end();
    },
  };
  superuser = await connect(old.superuserUrl);
});
afterEach(async () => {
  await superuser.end();
  await old.drop();
});

/** All events in order, as text. */
async function allEvents(): Promise<string[]> {
  const { rows } = await superuser.query<{ row: string }>(
    `select (to_jsonb(e))::text as row from session_event e order by session_id, seq`,
  );
  return rows.map(({ row }) => row);
}

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

describe('[FLT-6.3] the migration to partitions', () => {
  it('keeps every row, key, policy and right, and copies no row but those of the future', async () => {
    const before = await allEvents();
    const storage = await superuser.query(`select pg_relation_filenode('session_event') as node`);
    expect(await migrate(old.ownerUrl)).toBe(true);
    expect(await allEvents()).toEqual(before);
    const { rows } = await superuser.query(
      `select p.tableoid::regclass::text as partition, count(*)::int as events,
         min(pg_relation_filenode(p.tableoid)) as node
       from session_event p group by 1 order by 1`,
    );
    expect(rows).toEqual([
      { partition: 'partitions.session_event_default', events: EVENTS, node: expect.anything() },
      {
        partition: 'partitions.session_event_earlier',
        events: (SESSIONS - 1) * EVENTS,
        node: storage.rows[0].node,
      },
    ]);
    const keys = await superuser.query(
      `select c.relname as name, i.indisunique as "isUnique", i.indisvalid as "isValid"
       from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = 'session_event'::regclass order by 1`,
    );
    expect(keys.rows).toEqual([
      { name: 'session_event_attempt_key', isUnique: true, isValid: true },
      { name: 'session_event_pkey', isUnique: true, isValid: true },
      { name: 'session_event_tool_call', isUnique: false, isValid: true },
    ]);
    const app = await connect(old.appUrl);
    const count = 'select count(*)::int as events from session_event';
    const [mine, others] = [
      await probe(app, ORGANIZATION, count),
      await probe(app, uuidv7(), count),
    ];
    expect([mine.rows, others.rows]).toEqual([[{ events: before.length }], [{ events: 0 }]]);
    const direct = await probe(app, ORGANIZATION, 'select from partitions.session_event_earlier');
    expect(direct.refusal).toBe('42501');
    await app.end();
    await superuser.query('delete from session');
    expect(await allEvents()).toEqual([]);
  });

  it('puts sessions that start in the next week in a partition of their own', async () => {
    await migrate(old.ownerUrl);
    const names = await listPartitions(superuser);
    expect(names).not.toContain(partitionAt(inDays(0)));
    expect(names).toEqual(
      expect.arrayContaining([7, 14, 21].map((days) => partitionAt(inDays(days)))),
    );
  });

  it('needs no partition for earlier ones where there are no rows', async () => {
    await superuser.query('delete from session');
    await migrate(old.ownerUrl);
    const names = await listPartitions(superuser);
    expect(names).not.toContain('session_event_earlier');
    expect(names).toContain(partitionAt(inDays(0)));
  });

  it('is whole or not begun, killed at any statement, and then completes', async () => {
    const before = await allEvents();
    const statements = statementsOf(migrationNamed('event_partitions').sql);
    expect(statements.length).toBeGreaterThan(30);
    for (const count of statements.keys()) {
      const client = await connect(old.ownerUrl);
      const script = `${statements.slice(0, count + 1).join('')}\nselect pg_terminate_backend(pg_backend_pid());`;
      // Closing tells how it went; the client's own error says only that the connection ended.
      await expect(client.query(script)).rejects.toThrow();
      await client.end().catch(() => {});
      const { rows } = await superuser.query(
        `select c.relkind as kind, to_regnamespace('partitions') as schema from pg_class c
         where c.oid = 'session_event'::regclass`,
      );
      expect({ count, rows }).toEqual({ count, rows: [{ kind: 'r', schema: null }] });
    }
    expect(await allEvents()).toEqual(before);
    expect(await migrate(old.ownerUrl)).toBe(true);
    expect(await allEvents()).toEqual(before);
  });

  it('builds the key again that a kill left unusable', async () => {
    const blocker = await connect(old.superuserUrl);
    await blocker.query('begin');
    await blocker.query('insert into session_event select * from session_event limit 0');
    const builder = await connect(old.ownerUrl);
    const pid = (await builder.query('select pg_backend_pid() as pid')).rows[0].pid;
    const built = builder.query(migrationNamed('event_attempt_key').sql).catch(() => {});
    const isThere = async () =>
      (await superuser.query(`select to_regclass('session_event_attempt_key') is not null as yes`))
        .rows[0].yes;
    while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 20));
    await superuser.query('select pg_terminate_backend($1)', [pid]);
    await built;
    await builder.end().catch(() => {});
    await blocker.query('commit');
    await blocker.end();
    const isValid = async (name: string) =>
      (
        await superuser.query(
          'select indisvalid as yes from pg_index where indexrelid = $1::regclass',
          [name],
        )
      ).rows[0].yes;
    expect(await isValid('session_event_attempt_key')).toBe(false);
    await migrate(old.ownerUrl);
    expect(await isValid('session_event_attempt_key')).toBe(true);
    expect(await isValid('partitions.session_event_attempt_key')).toBe(true);
  });

  it('leaves a database that is what the Prisma schema says', async () => {
    await migrate(old.ownerUrl);
    const sql = await runPrisma(
      ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema', '--script'],
      { env: prismaEnvironment(old.ownerUrl) },
    );
    expect(sql.split('\n').filter((line) => line.includes('session_event'))).toEqual([]);
  });
});

import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holdDataFolder } from '@/scripts/bootstrap/data-folder.mjs';
import { prepareDatabase } from '@/scripts/bootstrap/database.mjs';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { startCluster } from '@/scripts/bootstrap/postgres/cluster.mjs';
import { EngineAdapterFactory } from '@/scripts/schema-engine/adapter.mjs';
import { createTestDatabase, type TestDatabase } from '@/tests/support/database';

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const answers = (await client.query(sql)) as pg.QueryResult | pg.QueryResult[];
    return Array.isArray(answers) ? [] : answers.rows;
  } finally {
    await client.end();
  }
}

describe('[SAS-3.1] the runner’s queue login', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { appUrl } = database;
    for (const queue of ['pool-a', 'pool-b']) {
      await ask(
        appUrl,
        `set search_path = bullmq_runner;
         select add_job('${queue}', 'job-${queue}', 'attempt', '{}', '{}', 0, 0, 0, 1, null, null, null, null, null, false)`,
      );
    }
  });
  afterAll(() => database.drop());

  /** With a connection that names its queue, as a runner's does. */
  function named(queue: string): string {
    const url = new URL(database.runnerUrl);
    url.searchParams.set('options', `-c tierwatch.queue=${queue}`);
    return url.toString();
  }

  it('sees the jobs of the queue that it names and no other', async () => {
    const all = 'select queue, id from bullmq_runner.job';
    expect(await ask(named('pool-a'), all)).toEqual([{ queue: 'pool-a', id: 'job-pool-a' }]);
    expect(await ask(named('pool-%'), all)).toEqual([]);
    expect(await ask(database.runnerUrl, all)).toEqual([]);
    expect(await ask(database.appUrl, all)).toHaveLength(2);
  });

  it.each([
    ['a control job', 'select * from bullmq.job'],
    ['a domain table', 'select * from public.organization'],
    ['the schema of its queue', 'create table bullmq_runner.mine (id int)'],
    ['a temporary table', 'create temp table mine (id int)'],
    ['another role', 'set role tierwatch_app'],
  ])('cannot read, take or change %s', async (_, sql) => {
    await expect(ask(database.runnerUrl, sql)).rejects.toMatchObject({ code: '42501' });
  });

  it('cannot forge a job of another pool', async () => {
    const forge = `set search_path = bullmq_runner;
      select add_job('pool-b', 'forged', 'attempt', '{}', '{}', 0, 0, 0, 1, null, null, null, null, null, false)`;
    await expect(ask(named('pool-a'), forge)).rejects.toMatchObject({ code: '42501' });
  });

  it('cannot enter another database', async () => {
    const other = new URL(database.runnerUrl);
    other.pathname = '/postgres';
    await expect(ask(other.toString(), 'select 1')).rejects.toMatchObject({ code: '42501' });
  });
});

describe('[SAS-7.1] a start against a given database', () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-given-'));
  chmodSync(dataDir, 0o755);
  const folder = holdDataFolder(dataDir);
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  let plainUrl: string;
  beforeAll(async () => {
    cluster = await startCluster(folder, { isThrowaway: true });
    plainUrl = await makePlainOwner('plain_owner');
  });
  afterAll(async () => {
    await cluster.stop();
    folder.release();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const secretKey = 'a key of at least thirty-two characters';

  /** A user's database whose login may not make roles, as hosted databases have it. */
  async function makePlainOwner(name: string): Promise<string> {
    await ask(cluster.superuserUrl, `create role ${name} login password 'plain'`);
    await ask(cluster.superuserUrl, `create database ${name} owner ${name}`);
    const url = new URL(cluster.superuserUrl);
    Object.assign(url, { username: name, password: 'plain', pathname: `/${name}` });
    return url.toString();
  }

  function countMigrations(): number {
    const folders = readdirSync(path.join(checkout, 'prisma', 'migrations'), {
      withFileTypes: true,
    });
    return folders.filter((entry) => entry.isDirectory()).length;
  }

  async function problemOf(work: Promise<unknown>): Promise<string> {
    return await work.then(
      () => '',
      (error: Error) => error.message,
    );
  }

  it('[FLT-2.4] stops without the right to make roles, and continues once the printed SQL was run, and where migrations were cut off', async () => {
    const ownerUrl = plainUrl;
    await ask(
      ownerUrl,
      `create table _prisma_migrations (
         id varchar(36), checksum varchar(64), finished_at timestamptz, migration_name varchar(255),
         logs text, rolled_back_at timestamptz, started_at timestamptz, applied_steps_count int)`,
    );
    await ask(
      ownerUrl,
      `insert into _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
       values ('cut-off', '', '20261121000100_tenancy', now(), 0)`,
    );
    const message = await problemOf(prepareDatabase(ownerUrl, secretKey, {}));
    expect(message).toContain(
      'The database user "plain_owner" of DATABASE_URL is not allowed to create roles',
    );
    const sql = message.split('\n').filter((line) => /^(create|alter|grant) /.test(line));
    expect(sql).toHaveLength(7);
    await ask(cluster.superuserUrl, sql.join('\n'));

    const { urls, hasMigrated } = await prepareDatabase(ownerUrl, secretKey, {});
    expect(hasMigrated).toBe(true);
    const [row] = await ask(
      ownerUrl,
      `select count(*) filter (where finished_at is null)::int as unfinished, count(*)::int as all
       from _prisma_migrations`,
    );
    expect(row).toEqual({ unfinished: 0, all: countMigrations() });
    const who = 'select current_user as name, (select count(*)::int from project) as projects';
    expect(await ask(urls.appUrl, who)).toEqual([{ name: 'tierwatch_app', projects: 0 }]);
    expect(await ask(urls.systemUrl, who)).toEqual([{ name: 'tierwatch_system', projects: 0 }]);
    expect((await prepareDatabase(ownerUrl, secretKey, {})).hasMigrated).toBe(false);
  });

  it('says so when the roles belong to somebody else', async () => {
    const message = await problemOf(prepareDatabase(cluster.ownerUrl, secretKey, {}));
    expect(message).toContain('were created by another user than "tierwatch_owner"');
  });

  it('refuses a login for the application that row-level security does not hold', async () => {
    const superuser = new URL(cluster.superuserUrl);
    superuser.pathname = new URL(plainUrl).pathname;
    const asSuperuser = { TIERWATCH_APP_DATABASE_URL: superuser.toString() };
    expect(await problemOf(prepareDatabase(plainUrl, secretKey, asSuperuser))).toContain(
      'is a superuser or bypasses row-level security',
    );
    const asOwner = { TIERWATCH_SYSTEM_DATABASE_URL: plainUrl };
    expect(await problemOf(prepareDatabase(plainUrl, secretKey, asOwner))).toContain(
      'owns the tables',
    );
  });
});

describe('[FLT-2.4] migrations', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('are noted as done in the transaction of their statements', async () => {
    const url = database.ownerUrl;
    const begun = (id: string) =>
      ask(
        url,
        `insert into _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
         values ('${id}', '', '${id}', now(), 0)`,
      );
    const isDone = async (id: string) => {
      const rows = await ask(
        url,
        `select finished_at is not null as done from _prisma_migrations where id = '${id}'`,
      );
      return rows[0]?.done;
    };
    const adapter = await new EngineAdapterFactory({ connectionString: url }, 'public').connect();
    try {
      await begun('good');
      await adapter.executeScript('create table tried (id int) -- without a semicolon');
      expect(await isDone('good')).toBe(true);
      await begun('bad');
      await expect(adapter.executeScript('drop table tried; select 1 / 0;')).rejects.toThrow();
      expect(await isDone('bad')).toBe(false);
      expect(await ask(url, 'select * from tried')).toEqual([]);
    } finally {
      await adapter.dispose();
      await ask(
        url,
        `drop table tried; delete from _prisma_migrations where id in ('good', 'bad')`,
      );
    }
  });
});

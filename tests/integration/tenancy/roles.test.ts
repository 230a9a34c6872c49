/** What the logins of the product may do at all. */

import { Redis } from 'ioredis';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookedUp, query, rowsOf } from '@/lib/platform/db/sql';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { enqueueAttempt } from '@/lib/platform/queue/enqueue';
import { ensureRedisRunnerLogin } from '@/scripts/bootstrap/redis-runner-login.mjs';
import { useTestDatabase } from '@/tests/support/database';
import { type FilledTenant, fillTenant } from './support/filled-tenant';
import { connect, listTenantTables, probe } from './support/tenant-tables';

const database = useTestDatabase();
const NO_RIGHT = '42501';
let tenant: FilledTenant;

beforeAll(async () => {
  tenant = await fillTenant();
});

const RIGHTS = sql`
  select current_user::text as login, r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb as "isPowerful",
    exists (select from pg_class c where c.relowner = r.oid) as "ownsTables",
    exists (select from pg_auth_members m where m.member = r.oid) as "isMember"
  from pg_roles r where r.rolname = current_user`;

describe.each(['tierwatch_app', 'tierwatch_system'] as const)('the login %s', (role) => {
  let client: pg.Client;
  beforeAll(async () => {
    client = await connect(role === 'tierwatch_app' ? database.appUrl : database.systemUrl);
  });
  afterAll(() => client.end());

  it('[SAS-1.3] is no superuser, owns nothing and belongs to no other role', async () => {
    const { rows } = await client.query(RIGHTS.compile(query).sql);
    expect(rows).toEqual([{ login: role, isPowerful: false, ownsTables: false, isMember: false }]);
  });

  it.each([
    'set role tierwatch_owner',
    'set role tierwatch_runner',
    `set role ${role === 'tierwatch_app' ? 'tierwatch_system' : 'tierwatch_app'}`,
    'set role postgres',
    'set session authorization postgres',
    'alter table chain disable row level security',
    'alter table chain no force row level security',
    'alter table chain disable trigger all',
    'drop policy tenant on chain',
    'create policy open on chain using (true)',
    'create table sneaked (id int)',
    'create function app.sneaked() returns int language sql as $$ select 1 $$',
    'update audit_log set detail = detail',
    'delete from audit_log',
    'truncate audit_log',
    'insert into audit_log default values',
    'update audit_head set seq = 0',
    'delete from audit_head',
    'update project_version set note = note',
    'delete from project_version',
    'truncate project_version cascade',
    'update threshold set value = value',
    'delete from threshold',
    'select * from _prisma_migrations',
  ])('[SAS-1.3] may not: %s', async (sql) => {
    expect(await probe(client, tenant.organizationId, sql)).toMatchObject({ refusal: NO_RIGHT });
  });
});

describe('the connection that the product itself works with', () => {
  it('[SAS-1.3] is the bound login, with and without a tenant, and shows nothing without one', async () => {
    const bound = { login: 'tierwatch_app', isPowerful: false, ownsTables: false, isMember: false };
    expect(await lookedUp(RIGHTS)).toEqual([bound]);
    expect(await inTransaction(tenant.alice, (db) => rowsOf(db, RIGHTS))).toEqual([bound]);
    const chains = query.selectFrom('chain').select('organizationId');
    expect(await lookedUp(chains)).toEqual([]);
    const rows = await inTransaction(tenant.alice, (db) => rowsOf(db, chains));
    expect(new Set(rows.map((row) => row.organizationId))).toEqual(
      new Set([tenant.organizationId]),
    );
  });
});

describe('the login tierwatch_runner', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = await connect(database.runnerUrl);
  });
  afterAll(() => client.end());

  it('[SAS-3.1] [SAS-1.3] reaches no table of the product and no control job', async () => {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c
         join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('public', 'bullmq') and c.relkind in ('r', 'p', 'v', 'm')`,
    );
    const names = rows.map(({ name }) => name);
    expect(names).toContain('bullmq.job');
    expect(names.length).toBeGreaterThan((await listTenantTables(client)).length);
    const open: string[] = [];
    for (const name of names) {
      for (const sql of [`select from ${name}`, `delete from ${name}`]) {
        if ((await probe(client, tenant.organizationId, sql)).refusal !== NO_RIGHT) open.push(sql);
      }
    }
    expect(open).toEqual([]);
  });

  it.each([
    'set role tierwatch_app',
    'set role tierwatch_system',
    'set role tierwatch_owner',
    "select app.find_runner('x')",
    "select app.append_audit('[]', '')",
    'create table public.sneaked (id int)',
    'create table bullmq_runner.sneaked (id int)',
  ])('[SAS-3.1] may not: %s', async (sql) => {
    expect(await probe(client, tenant.organizationId, sql)).toMatchObject({ refusal: NO_RIGHT });
  });

  it('[SAS-3.1] sees and makes jobs of the queue that it names only', async () => {
    await (database.redisUrl ? expectOwnPrefixOnly(database.redisUrl) : expectNamedOnly(client));
  });
});

async function expectNamedOnly(client: pg.Client) {
  await enqueueAttempt('pool-own', 'job-1');
  await enqueueAttempt('pool-foreign', 'job-2');
  const all = 'select distinct queue from bullmq_runner.job';
  expect((await probe(client, null, all)).rows).toEqual([]);
  await client.query("set tierwatch.queue = 'pool-own'");
  expect((await probe(client, null, all)).rows).toEqual([{ queue: 'pool-own' }]);
  const forged = `insert into bullmq_runner.job select (jsonb_populate_record(j, '{"queue": "pool-foreign", "id": "forged"}')).* from bullmq_runner.job j limit 1`;
  expect(await probe(client, null, forged)).toMatchObject({ refusal: NO_RIGHT });
  const taken = "update bullmq_runner.job set id = id where queue = 'pool-foreign'";
  expect(await probe(client, null, taken)).toMatchObject({ count: 0 });
}

async function expectOwnPrefixOnly(redisUrl: string) {
  await enqueueAttempt('pool-listed', 'job-1');
  const url = await ensureRedisRunnerLogin(redisUrl, database.secretKey);
  const redis = new Redis(url ?? '', { maxRetriesPerRequest: 1 });
  try {
    expect(await redis.exists('bullmq_runner:pool-listed:meta')).toBe(1);
    for (const key of ['bullmq:control:meta', 'databases']) {
      await expect(redis.get(key)).rejects.toThrow(/NOPERM/);
      await expect(redis.set(key, '1')).rejects.toThrow(/NOPERM/);
    }
    await expect(redis.flushall()).rejects.toThrow(/NOPERM/);
  } finally {
    redis.disconnect();
  }
}

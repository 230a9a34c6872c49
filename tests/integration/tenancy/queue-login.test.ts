/** Someone with a runner's login to the queue, and what they learn of other tenants. */

import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { poolQueue, runnerQueue } from '@/lib/fleet/queues';
import { changeOrganization } from '@/lib/identity/organizations/service';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { createWorker } from '@/lib/platform/queue/backend';
import { enqueueAttempt } from '@/lib/platform/queue/enqueue';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { grantsOf } from './support/grants';
import { connect } from './support/tenant-tables';

const database = useTestDatabase();
const attemptId = randomUUID();
let tenant: Cast;
let pool: string;
let attacker: pg.Client;

beforeAll(async () => {
  tenant = await makeCast();
  const { poolId } = await inTransaction(tenant.alice, (db) => db.runner.findFirstOrThrow({}));
  pool = poolQueue(poolId);
  attacker = await connect(database.runnerUrl);
});
afterAll(() => attacker.end());

/** What BullMQ, the product and a guess would notify on. */
async function everyChannel(): Promise<string[]> {
  const admin = await connect(database.superuserUrl);
  const { rows } = await admin.query<{ source: string }>(
    `select prosrc as source from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in ('app', 'bullmq', 'bullmq_runner')`,
  );
  await admin.end();
  const named = rows.flatMap(({ source }) =>
    [...source.matchAll(/pg_notify\('(\w+)'/g)].map(([, channel]) => channel ?? ''),
  );
  return [...new Set([...named, 'tierwatch', 'bullmq_relay', 'public', 'app'])];
}

async function nextJob(worker: ReturnType<typeof createWorker>) {
  for (;;) {
    const job = await worker.getNextJob('token', { block: true });
    if (job) return job;
  }
}

describe('[SEC-2.4] a runner’s queue login while other tenants are active', () => {
  it('hears no id on any channel', async () => {
    const heard: pg.Notification[] = [];
    attacker.on('notification', (message) => heard.push(message));
    const channels = await everyChannel();
    expect(channels).toContain('bullmq_jobs');
    for (const channel of channels) {
      await attacker.query(`listen ${pg.escapeIdentifier(channel)}`);
    }
    const worker = createWorker(
      { kind: 'postgres', url: database.runnerUrl, maxConnections: 2 },
      'runner',
      pool,
      null,
    );
    const fetched = database.redisUrl ? null : nextJob(worker);
    await changeOrganization(tenant.alice, { name: 'Another name' });
    await startChain(tenant.alice, { projectId: tenant.projectId, trigger: 'manual' });
    await enqueueAttempt(runnerQueue(tenant.runner.actor.id), attemptId);
    const job = await fetched;
    expect(typeof job?.data.attemptId).toBe(database.redisUrl ? 'undefined' : 'string');
    const { rows } = await attacker.query<{ text: string }>(
      `select coalesce(string_agg(a::text, E'\n'), '') as text from pg_stat_activity a`,
    );
    await job?.moveToCompleted(null, 'token', false);
    await worker.close(true);
    await attacker.query('select 1');
    // BullMQ names the two queues of the control plane's own jobs, which are of no tenant.
    const payloads = new Set(heard.map(({ payload }) => payload));
    expect([...payloads].filter((text) => text !== 'control' && text !== 'deliveries')).toEqual([]);
    expect(rows[0]?.text).toContain('tierwatch_runner');
    expect(rows[0]?.text).not.toMatch(/pool-|runner-/);
    expect(rows[0]?.text).not.toContain(tenant.alice.organizationId);
  });

  it('can’t read the name of the channel that carries ids', async () => {
    const denied = { code: '42501' };
    await expect(attacker.query('select * from app.live_channel')).rejects.toMatchObject(denied);
    await expect(attacker.query("select app.send_hint('{}')")).rejects.toMatchObject(denied);
  });

  it('sees no row of any queue that it can’t name, in any table', async () => {
    const { rows } = await attacker.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c
       where c.relkind in ('r', 'p', 'v', 'm') and has_schema_privilege(c.relnamespace, 'usage')
         and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
         and has_table_privilege(c.oid, 'select')`,
    );
    const seen: Record<string, number> = {};
    for (const { name } of rows) {
      const counted = await attacker.query(`select count(*)::int as rows from ${name}`);
      seen[name] = counted.rows[0].rows;
    }
    const { 'bullmq_runner.migration': versions, ...queues } = seen;
    expect(versions).toBeGreaterThan(0);
    expect(Object.keys(queues)).toContain('bullmq_runner.job');
    expect(new Set(Object.values(queues))).toEqual(new Set([0]));
  });

  it('gets the same answers about a queue of others as about one that does not exist', async () => {
    await enqueueAttempt(pool, attemptId);
    await attacker.query('set search_path = bullmq_runner');
    await attacker.query("set tierwatch.queue = 'pool-of-mine'");
    const { rows } = await attacker.query<{ name: string; args: string[] }>(
      `select p.proname as name,
         coalesce((select array_agg(format_type(t, null) order by n)
           from unnest(p.proargtypes) with ordinality as a(t, n)), '{}') as args
       from pg_proc p where p.pronamespace = 'bullmq_runner'::regnamespace and p.prokind = 'f'
         and p.provolatile <> 'i' and p.prorettype <> 'trigger'::regtype`,
    );
    expect(rows.length).toBeGreaterThan(50);
    for (const { name, args } of rows) {
      const answers: string[] = [];
      for (const queue of [pool, 'pool-of-nobody']) {
        // The queue comes first where a function has one, then the job.
        const values = args.map((type, index) => {
          if (type !== 'text') return `null::${type}`;
          return index === 0 ? `'${queue}'` : `'${attemptId}'`;
        });
        await attacker.query('begin');
        const call = `select ${pg.escapeIdentifier(name)}(${values.join(', ')})::text as answer`;
        const answer = await attacker.query(call).then(
          (result) => JSON.stringify(result.rows),
          (error: pg.DatabaseError) => `${error.code}`,
        );
        await attacker.query('rollback');
        answers.push(answer.replaceAll(queue, 'the queue').replace(/\d{6,}/g, 'a number'));
      }
      expect(answers[0], name).toBe(answers[1]);
    }
    await attacker.query('reset search_path');
  });
});

describe('[SEC-2.4] the grants of the database', () => {
  it.each(['tierwatch_runner', 'public'])('to %s are these and no others', async (grantee) => {
    const admin = await connect(database.superuserUrl);
    const grants = await grantsOf(admin, grantee);
    await admin.end();
    expect(grants).toEqual(GRANTS[grantee]);
  });

  it('let every function of the product be run by the control plane alone', async () => {
    const admin = await connect(database.superuserUrl);
    const { rows } = await admin.query<{ signature: string }>(
      `select p.oid::regprocedure::text as signature from pg_proc p
       where p.pronamespace = 'app'::regnamespace
         and (has_function_privilege('tierwatch_runner', p.oid, 'execute')
           or exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0))`,
    );
    await admin.end();
    expect(rows).toEqual([]);
  });
});

const GRANTS: Record<string, Record<string, string[]>> = {
  tierwatch_runner: {
    'bullmq_runner function: EXECUTE': ['*'],
    'bullmq_runner sequence: SELECT USAGE': ['*'],
    'bullmq_runner table: DELETE INSERT SELECT UPDATE': [
      ...['dedup', 'dedup_next', 'event', 'job', 'job_dependency'],
      ...['job_log', 'meta', 'metrics', 'rate_limit', 'scheduler'],
    ],
    'bullmq_runner table: SELECT': ['migration'],
    'database: CONNECT': ['the database'],
    'schema: USAGE': ['bullmq_runner'],
  },
  public: { 'schema: USAGE': ['public'] },
};

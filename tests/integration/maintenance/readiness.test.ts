/** What `/readyz` says when a part is missing that chains need. The queue: redis-outage.test.ts. */

import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { GET } from '@/app/readyz/route';
import { systemDb } from '@/lib/platform/db/global-db';
import { RUNNER_API, recordPresence } from '@/lib/platform/health';
import { testCluster, useTestDatabase } from '@/tests/support/database';

const database = useTestDatabase();
const UP = { database: true, queue: true, worker: true, leaseClock: true };

async function ask() {
  const response = await GET(new Request('http://localhost/readyz'), {
    params: Promise.resolve({}),
  });
  return { status: response.status, body: await response.json() };
}

async function present(worker: Date, leaseClock: Date) {
  await recordPresence('worker', 15, worker);
  await recordPresence(RUNNER_API, 15, leaseClock);
}

const now = () => new Date();
const minuteAgo = () => new Date(Date.now() - 60_000);

it('[FLT-1.3] names everything as missing that has never been there', async () => {
  expect(await ask()).toEqual({
    status: 503,
    body: { status: 'not_ready', parts: { ...UP, worker: false, leaseClock: false } },
  });
});

it.each([
  ['nothing', now, now, {}],
  ['the worker', minuteAgo, now, { worker: false }],
  ['the lease clock', now, minuteAgo, { leaseClock: false }],
])('[FLT-1.3] names %s', async (_what, worker, leaseClock, missing) => {
  await present(worker(), leaseClock());
  const isReady = Object.keys(missing).length === 0;
  expect(await ask()).toEqual({
    status: isReady ? 200 : 503,
    body: { status: isReady ? 'ready' : 'not_ready', parts: { ...UP, ...missing } },
  });
});

it('[INC-4.1] hosts whose clocks are 10 minutes apart record one time, without a gap', async () => {
  const beat = () => systemDb('test').processHeartbeat.findUniqueOrThrow({ where: { name: 'x' } });
  await recordPresence('x', 15);
  const { continuousSince } = await beat();
  try {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
    await recordPresence('x', 15);
  } finally {
    vi.useRealTimers();
  }
  await recordPresence('x', 15);
  const { lastAt, ...after } = await beat();
  expect(after.continuousSince).toEqual(continuousSince);
  expect(lastAt.getTime() - continuousSince.getTime()).toBeLessThan(300_000);
});

it('[FLT-1.3] names the database, and what can’t be known without it', async () => {
  await present(now(), now());
  const cluster = new pg.Client({ connectionString: testCluster().superuserUrl });
  await cluster.connect();
  try {
    await cluster.query(`alter database ${database.name} allow_connections false`);
    await cluster.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [database.name],
    );
    const { status, body } = await ask();
    expect(status).toBe(503);
    expect(body.parts).toMatchObject({ database: false, worker: false, leaseClock: false });
  } finally {
    await cluster.query(`alter database ${database.name} allow_connections true`);
    await cluster.end();
  }
  await vi.waitFor(async () => expect((await ask()).status).toBe(200), { timeout: 60_000 });
});

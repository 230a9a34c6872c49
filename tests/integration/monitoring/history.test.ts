/** What pages say of a service's past, by its own checks. */
import { expect, it } from 'vitest';
import { recordHeartbeat } from '@/lib/engine/directives';
import { checkedDay } from '@/lib/insight/dashboard/checked-history';
import { getBlockedChecks } from '@/lib/insight/dashboard/get-blocked-checks';
import { getServiceHealth } from '@/lib/insight/dashboard/get-overview';
import { getServicePage } from '@/lib/insight/dashboard/get-service-page';
import { listServiceIncidents } from '@/lib/insight/incidents/list-incidents';
import { listCheckPasts } from '@/lib/monitoring/check-history-rows';
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import {
  assignCheckers,
  expireResults,
  pruneCheckResults,
  watchBlocks,
} from '@/lib/monitoring/sweep';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { getCurrentProject } from '@/lib/projects/versions';
import type { SERVICE_STATUSES } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { recordPresence } from '@/tests/support/presence';
import '@/tests/support/subscriptions';
import { saveConfig } from '../engine/support/running';

useTestDatabase();

/** In the middle of an hour, so that an outage of minutes is within one column. */
const START = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 + 300_000);
const inSeconds = (seconds: number) => new Date(START.getTime() + seconds * 1_000);
const MONITORING = { everySeconds: 60, failures: 2, lastResults: 3 };

type Status = (typeof SERVICE_STATUSES)[number];

async function makeWatched(): Promise<Cast> {
  const cast = await makeCast({ monitoring: MONITORING }, START);
  await assignCheckers(START);
  return cast;
}

interface Sent {
  status?: Status;
  /** Reported so many seconds after it was had. */
  agoSeconds?: number;
}

/** Reports one result of each check of `web`, had at that second. */
async function report(
  cast: Cast,
  seconds: number,
  { status = 'healthy', agoSeconds = 0 }: Sent = {},
) {
  const plan = await getCheckPlan(cast.runner);
  const results = plan.projects.flatMap(({ projectId, epoch, checks }) =>
    checks
      .filter(({ service }) => service === 'web')
      .map(({ checkId }) => ({
        ...{ projectId, epoch, checkId, status, error: status === 'down' ? 'timed out' : '' },
        ...{ responseTimeMs: 20, ranAt: inSeconds(seconds).toISOString() },
        agoMs: agoSeconds * 1_000,
      })),
  );
  return recordCheckPlanResults(cast.runner, { results }, inSeconds(seconds + agoSeconds));
}

async function reportAll(cast: Cast, from: number, to: number, status: Status): Promise<void> {
  for (let second = from; second <= to; second += 60) await report(cast, second, { status });
}

/** The last 24 hours of `web` as a list shows them. */
async function dayOf(cast: Cast, seconds: number) {
  const now = inSeconds(seconds);
  const [web] = await getServiceHealth(cast.alice, cast.projectId, now);
  const clock = (at: Date) => at.toISOString().slice(11, 16);
  return web?.past ? checkedDay(web.past, now, clock) : null;
}

async function pageOf(cast: Cast, seconds: number, range: '24h' | '90d' = '24h') {
  const { config } = await getCurrentProject(cast.alice, 'checkout');
  return getServicePage(
    cast.alice,
    { projectId: cast.projectId, config, name: 'web' },
    { range, timeZone: 'UTC' },
    inSeconds(seconds),
  );
}

/** The runner API answers for two minutes, until then. */
async function answerUntil(end: Date): Promise<void> {
  for (let past = 120; past >= 0; past -= 10) {
    await recordPresence(new Date(end.getTime() - past * 1_000));
  }
}

const changes = ({ alice }: Cast) =>
  inTransaction(alice, async (db) => {
    const rows = await db.checkChange.findMany({
      where: { check: { service: { name: 'web' } } },
      orderBy: { at: 'asc' },
    });
    return rows.map(({ at, status }) => [(at.getTime() - START.getTime()) / 1_000, status]);
  });

it('[INC-1.1] [INC-2.3] an outage of four minutes that no chain saw is marked, with its duration', async () => {
  const cast = await makeWatched();
  await reportAll(cast, 0, 240, 'healthy');
  await reportAll(cast, 300, 480, 'down');
  await reportAll(cast, 540, 900, 'healthy');
  const day = await dayOf(cast, 910);
  expect(day?.words).toMatch(/^down for 4m 00s, unknown for 23h/);
  expect(day?.share).toBe('73.62%');
  expect(day?.cells.filter(({ state }) => state === 'down').map(({ words }) => words)).toEqual([
    expect.stringMatching(/^down for 4m 00s/),
  ]);
  const { past } = await pageOf(cast, 910);
  expect(past.source).toBe('checks');
  expect(past.sentence).toMatch(/^In the last 24 hours, web was down for 4m 00s, unknown for /);
  expect(past.history.filter(({ state }) => state === 'down')).toHaveLength(1);
  expect(past.uptime.map(({ share }) => share)).toEqual(['73.62%', '73.62%', '73.62%', '73.62%']);
  expect(past.uptime[0]).toMatchObject({ meanMs: 20, maxMs: 20 });
});

it('[INC-1.1] an outage in results that a runner had kept is marked as well', async () => {
  const cast = await makeWatched();
  await report(cast, 0);
  await answerUntil(inSeconds(600));
  await expireResults(inSeconds(600));
  expect(await changes(cast)).toEqual([
    [0, 'healthy'],
    [120, 'unknown'],
  ]);
  for (const second of [60, 120, 180, 240, 300, 360, 420, 480, 540]) {
    const status = second >= 180 && second < 420 ? 'down' : 'healthy';
    await report(cast, second, { status, agoSeconds: 610 - second });
  }
  expect((await dayOf(cast, 620))?.words).toMatch(/^down for 4m 00s/);
  expect(await changes(cast)).toEqual(
    [
      [60, 'healthy'],
      [180, 'down'],
      [420, 'healthy'],
    ].toSpliced(0, 0, [0, 'healthy']),
  );
});

it('[INC-1.1] time without results is unknown, before a sweep has noticed and after results are back', async () => {
  const cast = await makeWatched();
  await reportAll(cast, 0, 600, 'healthy');
  const silent = await pageOf(cast, 7_200);
  expect(silent.past.history.at(-1)).toMatchObject({ state: 'unknown', words: 'unknown' });
  expect(silent.past.uptime[0]?.share).toBe('100%');
  await report(cast, 7_200);
  const day = await dayOf(cast, 7_210);
  const states = day?.cells.slice(-3).map(({ state, knownShare }) => [state, knownShare > 0.1]);
  expect(states?.[1]).toEqual(['unknown', false]);
  expect(await changes(cast)).toEqual([
    [0, 'healthy'],
    [720, 'unknown'],
    [7_200, 'healthy'],
  ]);
});

it('[INC-1.1] a removed check counts until its removal, and a service without checks has its chains', async () => {
  const cast = await makeWatched();
  await reportAll(cast, 0, 300, 'down');
  await saveConfig(cast, {});
  await assignCheckers(inSeconds(360));
  expect(await changes(cast)).toEqual([
    [0, 'down'],
    [360, null],
  ]);
  expect(await dayOf(cast, 400)).toBeNull();
  expect((await pageOf(cast, 400)).past.source).toBe('chains');
  await saveConfig(cast, { monitoring: MONITORING });
  await assignCheckers(inSeconds(600));
  expect((await dayOf(cast, 700))?.words).toMatch(/^down for 6m 00s, unknown for/);
});

it('[INC-1.1] a check that is removed after time without results is unknown for that time', async () => {
  const cast = await makeWatched();
  await reportAll(cast, 0, 300, 'down');
  await saveConfig(cast, {});
  await assignCheckers(inSeconds(1_200));
  expect(await changes(cast)).toEqual([
    [0, 'down'],
    [420, 'unknown'],
    [1_200, null],
  ]);
});

it('[INC-1.1] another organization sees nothing of it', async () => {
  const cast = await makeWatched();
  await reportAll(cast, 0, 120, 'down');
  const other = await makeCast();
  const services = await inTransaction(cast.alice, (db) => db.service.findMany());
  const ids = services.map(({ id }) => id);
  const read = (by: Cast) =>
    inTransaction(by.alice, (db) => listCheckPasts(db, ids, inSeconds(-3_600)));
  expect((await read(cast)).size).toBe(2);
  expect((await read(other)).size).toBe(0);
  expect(await getServiceHealth(other.alice, cast.projectId)).toEqual([]);
  expect(await getBlockedChecks(other.alice, cast.projectId)).toBeNull();
});

it('[INC-1.1] changes are kept for 100 days, and of each check the last one before', async () => {
  const cast = await makeWatched();
  await reportAll(cast, 0, 60, 'healthy');
  await reportAll(cast, 120, 180, 'down');
  await pruneCheckResults(inSeconds(99 * 86_400));
  expect(await changes(cast)).toHaveLength(2);
  await pruneCheckResults(inSeconds(101 * 86_400));
  expect(await changes(cast)).toEqual([[120, 'down']]);
});

it('[INC-2.1] the incidents of a service are listed, open ones first, and only its own', async () => {
  const cast = await makeWatched();
  await reportAll(cast, 0, 120, 'down');
  const list = (service: string) =>
    listServiceIncidents(cast.alice, {
      ...{ project: 'checkout', service, since: inSeconds(-86_400), limit: 10 },
    });
  expect((await list('web')).map(({ state, title }) => [state, title])).toEqual([
    ['open', 'web down'],
  ]);
  expect(await list('db')).toEqual([]);
});

it('[INC-1.1] blocked checks are named, with the reason and the runner', async () => {
  const cast = await makeWatched();
  // The tests share what is known of the runner API, so this one is after the others.
  const seen = 10 * 3_600;
  await recordHeartbeat(
    cast.runner,
    { protocol: 1, capabilities: { ...TEST_CAPABILITIES, canRunChecks: true }, running: [] },
    inSeconds(seen),
  );
  await answerUntil(inSeconds(seen + 30));
  await watchBlocks(inSeconds(seen + 30));
  expect(await getBlockedChecks(cast.alice, cast.projectId)).toBeNull();
  await answerUntil(inSeconds(seen + 200));
  await watchBlocks(inSeconds(seen + 200));
  const all = await getBlockedChecks(cast.alice, cast.projectId);
  expect(all).toMatchObject({ reason: 'runner_offline', runner: { name: 'runner-1' } });
  expect(all?.checks.map(({ service }) => service)).toEqual(['web', 'db']);
  const own = await getBlockedChecks(cast.alice, cast.projectId, 'db');
  expect(own?.checks.map(({ service }) => service)).toEqual(['db']);
});

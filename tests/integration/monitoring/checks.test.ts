/** Which runner runs a project's checks, and what becomes known through it. */
import { expect, it } from 'vitest';
import { recordHeartbeat, waitForDirectives } from '@/lib/engine/directives';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import { servicesChanged, servicesRemoved } from '@/lib/monitoring/domain-events';
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import { assignCheckers, expireResults } from '@/lib/monitoring/sweep';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { subscribe } from '@/lib/platform/domain-events';
import { createProject } from '@/lib/projects/manage-project';
import type { CheckPlan } from '@/lib/protocol/monitoring';
import { checkSchema, type SERVICE_STATUSES } from '@/lib/protocol/spec';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import {
  type Cast,
  enrolTestRunner,
  makeCast,
  testConfig,
} from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { recordPresence } from '@/tests/support/presence';
import '@/tests/support/subscriptions';
import { saveConfig } from '../engine/support/running';

useTestDatabase();

const START = new Date();
const inSeconds = (seconds: number) => new Date(START.getTime() + seconds * 1_000);
const MONITORING = { everySeconds: 60, failures: 2, lastResults: 3 };

const makeWatched = () => makeCast({ monitoring: MONITORING }, START);

function beat(runner: TenantScope, at: Date, canRunChecks = true) {
  const capabilities = { ...TEST_CAPABILITIES, canRunChecks };
  return recordHeartbeat(runner, { protocol: 1, capabilities, running: [] }, at);
}

async function secondRunner({ alice }: Cast): Promise<TenantScope> {
  return scopeOfRunner(await enrolTestRunner(alice, 'runner-2'));
}

/** The runner API answers for two minutes, until then. */
async function answerUntil(end: Date): Promise<void> {
  for (let past = 120; past >= 0; past -= 10) {
    await recordPresence(new Date(end.getTime() - past * 1_000));
  }
}

type Status = (typeof SERVICE_STATUSES)[number];

interface Sent {
  at: Date;
  status?: Status;
  /** The runner's own clock; the same as ours without it. */
  ranAt?: Date;
  agoMs?: number;
  /** Number of the run in its process; absent: the runner doesn't number them. */
  run?: number;
  process?: string;
}

const PROCESS = '01930000-0000-4000-8000-00000000000a';

function report(runner: TenantScope, plan: CheckPlan, { at, status = 'healthy', ...sent }: Sent) {
  const { run: number, process: processId = PROCESS } = sent;
  const results = plan.projects.flatMap(({ projectId, epoch, checks }) =>
    checks.map(({ checkId }) => ({
      ...{ projectId, epoch, checkId, status, error: '', responseTimeMs: 3 },
      ranAt: (sent.ranAt ?? at).toISOString(),
      agoMs: sent.agoMs ?? 0,
      ...(number ? { run: { processId, number } } : {}),
    })),
  );
  return recordCheckPlanResults(runner, { results }, at);
}

function services({ alice }: Cast) {
  return inTransaction(alice, (db) =>
    db.service.findMany({ orderBy: { position: 'asc' }, select: { name: true, status: true } }),
  );
}

const statuses = async (cast: Cast) => (await services(cast)).map(({ status }) => status);
const results = ({ alice }: Cast) =>
  inTransaction(alice, (db) => db.checkResult.findMany({ orderBy: { at: 'asc' } }));

it('[INC-1.1] are given to a runner of the pool, which a directive notifies', async () => {
  const cast = await makeWatched();
  await assignCheckers(START);
  const { directives } = await waitForDirectives(cast.runner, new AbortController().signal);
  const plan = await getCheckPlan(cast.runner);
  expect(directives).toEqual([{ kind: 'checks', digest: plan.digest }]);
  expect(plan.projects.map(({ checks }) => checks.map(({ service }) => service))).toEqual([
    ['web', 'db'],
  ]);
});

it('[INC-1.1] aren’t given to a runner that is too old, or anywhere while they are off', async () => {
  const cast = await makeWatched();
  await beat(cast.runner, START, false);
  await assignCheckers(START);
  expect((await getCheckPlan(cast.runner)).projects).toEqual([]);
  await beat(cast.runner, START);
  await assignCheckers(START);
  expect((await getCheckPlan(cast.runner)).projects).toHaveLength(1);
  await saveConfig(cast, {});
  await assignCheckers(START);
  expect(await getCheckPlan(cast.runner)).toEqual({ digest: '', projects: [] });
});

it('[INC-1.1] move to another runner when theirs is offline, and its late results are refused', async () => {
  const cast = await makeWatched();
  const other = await secondRunner(cast);
  await assignCheckers(START);
  const plan = await getCheckPlan(cast.runner);
  await beat(other, inSeconds(61));
  await assignCheckers(inSeconds(61));
  const [project] = plan.projects;
  // After an absence of its own, the control plane can't say which runners are offline.
  expect(await getCheckPlan(cast.runner)).toEqual(plan);
  await answerUntil(inSeconds(61));
  await assignCheckers(inSeconds(61));
  expect((await getCheckPlan(cast.runner)).projects).toEqual([]);
  expect((await getCheckPlan(other)).projects[0]?.epoch).toBeGreaterThan(project?.epoch ?? 0);
  const answer = await report(cast.runner, plan, { at: inSeconds(70), status: 'down' });
  expect(answer).toEqual({ refused: [project?.projectId], notStored: [] });
  expect(await results(cast)).toEqual([]);
});

it('[INC-1.1] an offline runner keeps them while there is no other, and what it found meanwhile counts', async () => {
  const cast = await makeWatched();
  await assignCheckers(START);
  const plan = await getCheckPlan(cast.runner);
  await answerUntil(inSeconds(100));
  await assignCheckers(inSeconds(100));
  for (const seconds of [60, 90]) {
    const sent = { at: inSeconds(110), ranAt: inSeconds(seconds), agoMs: (110 - seconds) * 1_000 };
    expect(await report(cast.runner, plan, { ...sent, status: 'down' })).toEqual({
      refused: [],
      notStored: [],
    });
  }
  expect(await statuses(cast)).toEqual(['down', 'down']);
  await inTransaction(cast.alice, (db) => db.runner.updateMany({ data: { revokedAt: START } }));
  await assignCheckers(inSeconds(120));
  const [checker] = await inTransaction(cast.alice, (db) => db.checker.findMany());
  expect(checker?.runnerId).toBeNull();
});

it('[INC-1.1] results of the next runner count, whatever the clock of the one before said', async () => {
  const cast = await makeWatched();
  const other = await secondRunner(cast);
  await assignCheckers(START);
  const ranAt = inSeconds(3_600);
  await report(cast.runner, await getCheckPlan(cast.runner), { at: START, ranAt });
  await beat(other, inSeconds(61));
  await answerUntil(inSeconds(61));
  await assignCheckers(inSeconds(61));
  const plan = await getCheckPlan(other);
  for (const seconds of [70, 130]) {
    await report(other, plan, { at: inSeconds(seconds), status: 'down' });
  }
  expect(await statuses(cast)).toEqual(['down', 'down']);
});

it('[INC-1.1] nothing is known of checks that come back until they have run again', async () => {
  const cast = await makeWatched();
  await assignCheckers(START);
  for (const seconds of [0, 60]) {
    await report(cast.runner, await getCheckPlan(cast.runner), {
      ...{ at: inSeconds(seconds), status: 'down' },
    });
  }
  expect(await statuses(cast)).toEqual(['down', 'down']);
  await saveConfig(cast, {});
  await assignCheckers(inSeconds(70));
  await saveConfig(cast, { monitoring: MONITORING });
  await assignCheckers(inSeconds(80));
  expect(await statuses(cast)).toEqual(['unknown', 'unknown']);
  // One failure from long ago and one of now aren't two in a row.
  await report(cast.runner, await getCheckPlan(cast.runner), { at: inSeconds(90), status: 'down' });
  expect(await statuses(cast)).toEqual(['unknown', 'unknown']);
});

it('[INC-2.1] a service is published as removed once, with the others that were removed since', async () => {
  const cast = await makeWatched();
  const published: string[][] = [];
  subscribe(servicesRemoved, 'removals', async (db, _scope, { projectId, serviceIds }) => {
    if (projectId !== cast.projectId) return [];
    const rows = await db.service.findMany({ where: { id: { in: [...serviceIds] } } });
    published.push(rows.map(({ name }) => name).toSorted());
    return [];
  });
  const withServices = async (...names: string[]) => {
    const checks = [{ type: 'tcp' as const, target: '127.0.0.1:9', timeoutSeconds: 5 }];
    await saveConfig(cast, {
      monitoring: MONITORING,
      services: names.map((name) => ({ name, checks: name === 'unchecked' ? [] : checks })),
    });
  };
  await withServices('web', 'db', 'unchecked');
  await assignCheckers(inSeconds(10));
  await withServices('web', 'short-lived');
  await withServices('web');
  await assignCheckers(inSeconds(20));
  await withServices('web', 'cache');
  await assignCheckers(inSeconds(30));
  await withServices('cache');
  await assignCheckers(inSeconds(40));
  subscribe(servicesRemoved, 'removals', async () => []);
  expect(published).toEqual([['db', 'short-lived', 'unchecked'], ['web']]);
});

it('[INC-1.1] stay with their runner when another one comes, and when it pauses without another', async () => {
  const cast = await makeWatched();
  await assignCheckers(START);
  const before = await getCheckPlan(cast.runner);
  await inTransaction(cast.alice, (db) =>
    db.runner.updateMany({ data: { pausedAt: START, pausedBy: 'Alice' } }),
  );
  await assignCheckers(START);
  expect(await getCheckPlan(cast.runner)).toEqual(before);
  const other = await secondRunner(cast);
  await beat(other, START);
  await assignCheckers(START);
  expect((await getCheckPlan(other)).projects).toHaveLength(1);
});

it('[INC-1.1] a result is kept with its latency, in the history and in the sums of its hour', async () => {
  const cast = await makeWatched();
  await assignCheckers(START);
  await report(cast.runner, await getCheckPlan(cast.runner), { at: START, agoMs: 2_000 });
  const kept = { status: 'healthy', at: inSeconds(-2), responseMs: 3 };
  expect(await results(cast)).toMatchObject([kept, kept]);
  const hours = await inTransaction(cast.alice, (db) => db.checkHour.findMany());
  const sum = { healthy: 1, timed: 1, totalMs: 3n, maxMs: 3 };
  expect(hours).toMatchObject([sum, sum]);
});

it('[INC-1.1] a repeated request counts once', async () => {
  const cast = await makeWatched();
  await assignCheckers(START);
  const plan = await getCheckPlan(cast.runner);
  await report(cast.runner, plan, { at: START });
  for (const seconds of [60, 61, 62]) {
    // Sent again since its answer was lost: the same run, seen later.
    const sent = { at: inSeconds(seconds), ranAt: inSeconds(60), agoMs: (seconds - 60) * 1_000 };
    await report(cast.runner, plan, { ...sent, status: 'down' });
  }
  expect(await results(cast)).toHaveLength(4);
  expect(await statuses(cast)).toEqual(['healthy', 'healthy']);
});

it('[INC-1.1] results count by their numbers, although the runner’s clock steps back', async () => {
  const cast = await makeWatched();
  await assignCheckers(START);
  const plan = await getCheckPlan(cast.runner);
  await report(cast.runner, plan, { at: START, ranAt: inSeconds(3_600), run: 1 });
  const downAt = (seconds: number, run: number, process = PROCESS) =>
    report(cast.runner, plan, { at: inSeconds(seconds), status: 'down', run, process });
  await downAt(60, 2);
  // The same request again, and a late one from before it.
  await downAt(61, 2);
  await downAt(62, 1);
  expect(await results(cast)).toHaveLength(4);
  expect(await statuses(cast)).toEqual(['healthy', 'healthy']);
  // A restart begins to count again.
  await downAt(120, 1, '01930000-0000-4000-8000-00000000000b');
  expect(await statuses(cast)).toEqual(['down', 'down']);
});

it('[INC-1.1] are withheld from a runner whose program is too old for them, which reports them unknown', async () => {
  const services = [
    {
      name: 'web',
      checks: [
        { type: 'http' as const, target: 'http://127.0.0.1:9/', timeoutSeconds: 5 },
        { type: 'tls' as const, target: 'shop.example', timeoutSeconds: 5 },
      ],
    },
  ];
  const cast = await makeCast({ monitoring: MONITORING, services }, START);
  await assignCheckers(START);
  const types = async () => {
    const { projects } = await getCheckPlan(cast.runner);
    return projects.flatMap(({ checks }) =>
      checks.map(({ check }) => checkSchema.safeParse(check).data?.type ?? 'not known'),
    );
  };
  expect(await types()).toEqual(['http', 'tls']);
  const capabilities = { ...TEST_CAPABILITIES, checkRevision: undefined };
  await recordHeartbeat(cast.runner, { protocol: 1, capabilities, running: [] }, START);
  expect(await types()).toEqual(['http', 'not known']);
});

it('[INC-1.1] results of one project that can’t be stored don’t lose those of another', async () => {
  const cast = await makeWatched();
  const config = testConfig({ monitoring: MONITORING });
  const other = await createProject(cast.alice, { name: 'Second', slug: 'second', config }, START);
  await assignCheckers(START);
  const plan = await getCheckPlan(cast.runner);
  expect(plan.projects).toHaveLength(2);
  subscribe(servicesChanged, 'broken', async (_db, _scope, { projectId }) => {
    if (projectId === cast.projectId) throw new Error('This handler is broken.');
    return [];
  });
  const answer = await report(cast.runner, plan, { at: START, run: 1 });
  expect(answer).toEqual({ refused: [], notStored: [cast.projectId] });
  const healthy = () =>
    inTransaction(cast.alice, (db) =>
      db.serviceCheck.findMany({
        where: { status: 'healthy' },
        select: { projectId: true },
        orderBy: { projectId: 'asc' },
      }),
    );
  expect((await healthy()).map(({ projectId }) => projectId)).toEqual([
    ...[other.projectId, other.projectId],
  ]);
  subscribe(servicesChanged, 'broken', async () => []);
  expect(await report(cast.runner, plan, { at: inSeconds(5), run: 1 })).toEqual({
    ...{ refused: [], notStored: [] },
  });
  expect(await healthy()).toHaveLength(4);
  expect(await results(cast)).toHaveLength(4);
});

it('[INC-1.1] are placed in time by our clock, with a runner’s clock ten minutes ahead', async () => {
  const cast = await makeWatched();
  await assignCheckers(START);
  const plan = await getCheckPlan(cast.runner);
  for (const seconds of [60, 120]) {
    const ranAt = inSeconds(seconds + 600);
    await report(cast.runner, plan, {
      ...{ at: inSeconds(seconds), ranAt, agoMs: 5_000 },
      status: 'down',
    });
  }
  expect(await statuses(cast)).toEqual(['down', 'down']);
  const [incident] = await inTransaction(cast.alice, (db) => db.incident.findMany());
  expect(incident?.startedAt).toEqual(inSeconds(55));
});

it('[INC-1.1] nobody reports: nothing is known, and nothing is healthy', async () => {
  const cast = await makeWatched();
  await assignCheckers(START);
  await report(cast.runner, await getCheckPlan(cast.runner), { at: START });
  expect(await statuses(cast)).toEqual(['healthy', 'healthy']);
  // While the control plane was away itself, it can't say that no runner reports.
  expect(await expireResults(inSeconds(200))).toBe(0);
  await answerUntil(inSeconds(200));
  await expireResults(inSeconds(194));
  expect(await statuses(cast)).toEqual(['healthy', 'healthy']);
  // A later result moves the time.
  await report(cast.runner, await getCheckPlan(cast.runner), { at: inSeconds(150) });
  await expireResults(inSeconds(200));
  await answerUntil(inSeconds(346));
  await expireResults(inSeconds(344));
  expect(await statuses(cast)).toEqual(['healthy', 'healthy']);
  await expireResults(inSeconds(346));
  expect(await statuses(cast)).toEqual(['unknown', 'unknown']);
  expect(await expireResults(inSeconds(347))).toBe(0);
  await report(cast.runner, await getCheckPlan(cast.runner), { at: inSeconds(350) });
  expect(await statuses(cast)).toEqual(['healthy', 'healthy']);
});

it('[INC-1.1] a missing result is noticed sooner once the interval is shorter', async () => {
  const cast = await makeCast(
    { monitoring: { ...MONITORING, everySeconds: 3_600 } },
    inSeconds(2_000),
  );
  await assignCheckers(inSeconds(2_000));
  await report(cast.runner, await getCheckPlan(cast.runner), { at: inSeconds(2_000) });
  await answerUntil(inSeconds(2_200));
  await expireResults(inSeconds(2_200));
  expect(await statuses(cast)).toEqual(['healthy', 'healthy']);
  await saveConfig(cast, { monitoring: MONITORING });
  await assignCheckers(inSeconds(2_201));
  await answerUntil(inSeconds(2_202));
  await expireResults(inSeconds(2_202));
  expect(await statuses(cast)).toEqual(['unknown', 'unknown']);
});

it('[INC-1.1] [SAS-1.3] a runner of another organization can’t report about them', async () => {
  const cast = await makeWatched();
  await assignCheckers(START);
  const plan = await getCheckPlan(cast.runner);
  const stranger = await makeCast({}, START);
  const { refused } = await report(stranger.runner, plan, { at: START, status: 'down' });
  expect(refused).toHaveLength(1);
  expect(await statuses(cast)).toEqual(['unknown', 'unknown']);
});

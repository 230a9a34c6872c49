/** Many services that fail and recover at once: what it costs, and whom it holds up. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteProject } from '@/lib/engine/chains/delete-project';
import { acknowledgeIncident } from '@/lib/incidents/manage-incidents';
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import { assignCheckers, expireResults } from '@/lib/monitoring/sweep';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { createProject } from '@/lib/projects/manage-project';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { PlanResult } from '@/lib/protocol/monitoring';
import { countStatements } from '@/tests/bench/support/statements';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { recordPresence } from '@/tests/support/presence';
import '@/tests/support/subscriptions';
import { saveConfig } from '../engine/support/running';

const database = useTestDatabase();

let outside: pg.Client;
beforeAll(async () => {
  outside = new pg.Client({ connectionString: database.superuserUrl });
  await outside.connect();
});
afterAll(() => outside?.end());

const MONITORING = { everySeconds: 60, failures: 1, lastResults: 1 };

/** Settings of a project with so many services, each with a check. */
function storming(count: number): Partial<ProjectConfig> {
  const services = Array.from({ length: count }, (_, number) => ({
    name: `service-${number}`,
    checks: [{ type: 'tcp' as const, target: '127.0.0.1:9', timeoutSeconds: 5 }],
  }));
  return { monitoring: MONITORING, services };
}

async function makeStorm(count: number): Promise<Cast> {
  const cast = await makeCast(storming(count));
  await assignCheckers();
  await report(cast, 'healthy');
  return cast;
}

type Status = 'healthy' | 'down' | 'unknown';

/** The results of every check that the runner runs. */
async function resultsOf(cast: Cast, status: Status): Promise<PlanResult[]> {
  const { projects } = await getCheckPlan(cast.runner);
  return projects.flatMap(({ projectId, epoch, checks }) =>
    checks.map(({ checkId }) => ({
      ...{ projectId, epoch, checkId, status, error: status === 'healthy' ? '' : 'Refused.' },
      ...{ responseTimeMs: null, ranAt: new Date().toISOString(), agoMs: 0 },
    })),
  );
}

/** @returns how many statements it took to store a report in which every check finds the same */
async function report(cast: Cast, status: Status): Promise<number> {
  const results = await resultsOf(cast, status);
  return countStatements(async () => {
    const answer = await recordCheckPlanResults(cast.runner, { results });
    expect(answer).toEqual({ refused: [], notStored: [] });
  });
}

const SIZES = [10, 50, 100];

async function statementsOf(work: (cast: Cast) => Promise<number>): Promise<number[]> {
  const counts: number[] = [];
  for (const size of SIZES) counts.push(await work(await makeStorm(size)));
  return counts;
}

const STORMS: [string, (cast: Cast) => Promise<number>][] = [
  ['fail', (cast) => report(cast, 'down')],
  [
    'recover',
    async (cast) => {
      await report(cast, 'down');
      return report(cast, 'healthy');
    },
  ],
  [
    'fail again',
    async (cast) => {
      await report(cast, 'down');
      await report(cast, 'healthy');
      return report(cast, 'down');
    },
  ],
  [
    'become unknown',
    async (cast) => {
      await report(cast, 'down');
      return report(cast, 'unknown');
    },
  ],
  [
    'recover while a person works on it',
    async (cast) => {
      await report(cast, 'down');
      const [incident] = await incidentsOf(cast);
      await acknowledgeIncident(cast.alice, encodeId('inc', incident?.id ?? ''), { note: '' });
      return report(cast, 'healthy');
    },
  ],
  [
    'are no longer checked',
    async (cast) => {
      await report(cast, 'down');
      await saveConfig(cast, {});
      return countStatements(() => assignCheckers());
    },
  ],
];

it.each(STORMS)(
  '[OUT-2.2] as many statements are sent for 100 services that %s as for 10',
  async (_what, work) => {
    const [few = 0, , many = 0] = await statementsOf(work);
    expect(many).toBe(few);
    expect(many).toBeLessThan(80);
  },
);

function incidentsOf({ alice }: Cast) {
  return inTransaction(alice, (db) =>
    db.incident.findMany({
      orderBy: { number: 'asc' },
      include: { services: true, events: { orderBy: { sequence: 'asc' } } },
    }),
  );
}

it('[OUT-2.2] 100 services that fail, recover and fail again are one incident with an event for each', async () => {
  const cast = await makeStorm(100);
  await report(cast, 'down');
  await report(cast, 'healthy');
  await report(cast, 'down');
  const [incident, ...others] = await incidentsOf(cast);
  expect(others).toEqual([]);
  expect(incident?.events.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 300 }, (_, at) => at + 1),
  );
  expect(incident?.events.map(({ kind }) => kind)).toEqual([
    ...Array(100).fill('service_failing'),
    ...Array(100).fill('service_recovered'),
    ...Array(100).fill('service_failing'),
  ]);
  expect(incident?.services.map(({ status, relapses }) => ({ status, relapses }))).toEqual(
    Array(100).fill({ status: 'down', relapses: 1 }),
  );
});
/** A second project of the same organization, whose checks the same runner runs. */
async function addProject({ alice }: Cast, count: number): Promise<string> {
  const config = testConfig(storming(count));
  const { projectId } = await createProject(alice, { name: 'Shop', slug: 'shop', config });
  await assignCheckers();
  return projectId;
}

/** Locks what stands for the incidents of a project until the work is done. */
async function whileLocked(cast: Cast, work: () => Promise<unknown>): Promise<void> {
  const key = `incidents ${cast.alice.organizationId} ${cast.projectId}`;
  await outside.query('begin');
  await outside.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
  await work().finally(() => outside.query('rollback'));
}

/** How many transactions wait for locks. */
async function waiting(): Promise<number> {
  const { rows } = await outside.query(
    `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].waiting;
}

it('[OUT-2.2] results of a project that can’t be stored don’t hold up another one, and none are lost', async () => {
  const cast = await makeStorm(20);
  const otherId = await addProject(cast, 20);
  await report(cast, 'healthy');
  const results = await resultsOf(cast, 'down');
  const openIn = async () => (await incidentsOf(cast)).map(({ projectId }) => projectId);
  const notStored = { refused: [], notStored: [cast.projectId] };
  await whileLocked(cast, async () => {
    const answer = recordCheckPlanResults(cast.runner, { results });
    await expect.poll(openIn, { timeout: 10_000 }).toEqual([otherId]);
    expect(await waiting()).toBe(1);
    // Sent again meanwhile, it doesn't queue up behind the first.
    expect(await recordCheckPlanResults(cast.runner, { results })).toEqual(notStored);
    expect(await waiting()).toBe(1);
    expect(await answer).toEqual(notStored);
  });
  const answer = await recordCheckPlanResults(cast.runner, { results });
  expect(answer).toEqual({ refused: [], notStored: [] });
  expect((await openIn()).toSorted()).toEqual([cast.projectId, otherId].toSorted());
  const events = (await incidentsOf(cast)).map((incident) => incident.events.length);
  expect(events).toEqual([20, 20]);
});

it('[OUT-2.2] checks without results become unknown, although another project’s can’t be stored', async () => {
  const cast = await makeStorm(5);
  const otherId = await addProject(cast, 5);
  await report(cast, 'down');
  const later = new Date(Date.now() + 300_000);
  for (let past = 120; past >= 0; past -= 10) {
    await recordPresence(new Date(later.getTime() - past * 1_000));
  }
  const statuses = async (projectId: string) => {
    const services = await inTransaction(cast.alice, (db) =>
      db.service.findMany({ where: { projectId } }),
    );
    return [...new Set(services.map(({ status }) => status))];
  };
  await whileLocked(cast, async () => {
    const swept = expireResults(later);
    // Before the transaction of the first project would be given up.
    await expect.poll(() => statuses(otherId), { timeout: 15_000 }).toEqual(['unknown']);
    await swept;
  });
  expect(await statuses(cast.projectId)).toEqual(['down']);
  await expireResults(later);
  expect(await statuses(cast.projectId)).toEqual(['unknown']);
});

it('[OUT-2.2] a project is deleted while its services keep failing and recovering', async () => {
  const cast = await makeStorm(100);
  const otherId = await addProject(cast, 10);
  let isDeleted = false;
  const reports = [0, 1].map(async (offset) => {
    for (let number = offset; !isDeleted; number += 1) {
      const results = await resultsOf(cast, number % 2 === 0 ? 'down' : 'healthy');
      await recordCheckPlanResults(cast.runner, { results });
    }
  });
  await expect.poll(async () => (await incidentsOf(cast)).length, { timeout: 60_000 }).toBe(2);
  await deleteProject(cast.alice, 'checkout');
  isDeleted = true;
  await Promise.all(reports);
  expect((await incidentsOf(cast)).map(({ projectId }) => projectId)).toEqual([otherId]);
});

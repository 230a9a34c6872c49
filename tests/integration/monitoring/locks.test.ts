/** Results and changes of their project at the same time: neither fails. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { lockProject } from '@/lib/engine/chains/data';
import { deleteProject } from '@/lib/engine/chains/delete-project';
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import { assignCheckers } from '@/lib/monitoring/sweep';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { saveProject } from '@/lib/projects/manage-project';
import type { CheckPlan, PlanResult } from '@/lib/protocol/monitoring';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import '@/tests/support/subscriptions';

const database = useTestDatabase();

let outside: pg.Client;
let observer: pg.Client;
beforeAll(async () => {
  outside = new pg.Client({ connectionString: database.superuserUrl });
  observer = new pg.Client({ connectionString: database.superuserUrl });
  await outside.connect();
  await observer.connect();
});
afterAll(async () => {
  await outside?.end();
  await observer?.end();
});

const MONITORING = { everySeconds: 60, failures: 1, lastResults: 1 };

/** Waits until that many transactions wait for locks. */
async function waiting(count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await observer.query(
        `select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows[0].waiting).toBe(count);
    },
    { timeout: 10_000, interval: 20 },
  );
}

/** Everything is down. */
function resultsOf(projects: CheckPlan['projects']): PlanResult[] {
  return projects.flatMap(({ projectId, epoch, checks }) =>
    checks.map(({ checkId }) => ({
      ...{ projectId, epoch, checkId, status: 'down' as const, error: 'Refused.' },
      ...{ responseTimeMs: null, ranAt: new Date().toISOString(), agoMs: 0 },
    })),
  );
}

/** Reports that everything is down, held up where the incident would be opened. */
async function reportAtTheSameTimeAs(cast: Cast, change: () => Promise<unknown>) {
  await assignCheckers();
  const { projects } = await getCheckPlan(cast.runner);
  const results = resultsOf(projects);
  const key = `incidents ${cast.alice.organizationId} ${cast.projectId}`;
  await outside.query('begin');
  await outside.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key]);
  const reported = recordCheckPlanResults(cast.runner, { results });
  await waiting(1);
  const changed = change();
  await waiting(2);
  await outside.query('commit');
  const [answer] = await Promise.all([reported, changed]);
  return answer;
}

it('[INC-1.1] results of a project whose slug changes are stored, and the slug too', async () => {
  const cast = await makeCast({ monitoring: MONITORING });
  const answer = await reportAtTheSameTimeAs(cast, () =>
    saveProject(cast.alice, {
      ...{ projectId: cast.projectId, baseVersion: 1, name: 'Shop', slug: 'shop' },
      config: testConfig({ monitoring: MONITORING }),
    }),
  );
  expect(answer).toEqual({ refused: [], notStored: [] });
  const found = await inTransaction(cast.alice, async (db) => ({
    incidents: await db.incident.count(),
    project: await db.project.findFirst({ select: { slug: true } }),
  }));
  expect(found).toEqual({ incidents: 1, project: { slug: 'shop' } });
});

it('[INC-1.1] a project is deleted while its results are stored', async () => {
  const cast = await makeCast({ monitoring: MONITORING });
  const answer = await reportAtTheSameTimeAs(cast, () => deleteProject(cast.alice, 'checkout'));
  expect(answer).toEqual({ refused: [], notStored: [] });
  const left = await inTransaction(cast.alice, async (db) => [
    await db.project.count(),
    await db.checker.count(),
    await db.incident.count(),
  ]);
  expect(left).toEqual([0, 0, 0]);
});

it('[INC-1.1] an incident opens while chains of its project are being started', async () => {
  const cast = await makeCast({ monitoring: MONITORING });
  await assignCheckers();
  const { projects } = await getCheckPlan(cast.runner);
  const results = resultsOf(projects);
  await inTransaction(cast.alice, async (db) => {
    await lockProject(db, cast.projectId);
    const reported = recordCheckPlanResults(cast.runner, { results });
    expect(await reported).toEqual({ refused: [], notStored: [] });
  });
  expect(await inTransaction(cast.alice, (db) => db.incident.count())).toBe(1);
});

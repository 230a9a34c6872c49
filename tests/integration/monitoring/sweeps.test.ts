/** Sweeps of many projects: what can't change keeps nothing else waiting, and old rows are deleted. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordHeartbeat } from '@/lib/engine/directives';
import { scopeOfRunner } from '@/lib/identity/tenancy/make-scope';
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import { assignCheckers, pruneCheckResults } from '@/lib/monitoring/sweep';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { enrolTestRunner, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import { recordPresence } from '@/tests/support/presence';
import '@/tests/support/subscriptions';

const database = useTestDatabase();

let owner: pg.Client;
beforeAll(async () => {
  owner = new pg.Client({ connectionString: database.superuserUrl });
  await owner.connect();
});
afterAll(() => owner?.end());

const START = new Date();
const MONITORING = { everySeconds: 60, failures: 2, lastResults: 3 };

it('[INC-1.1] many projects with a paused runner don’t keep those of others from another one', async () => {
  const paused = await makeCast({ monitoring: MONITORING }, START);
  await assignCheckers(START);
  // Before all others in the order of their ids.
  await owner.query(
    `insert into project (id, organization_id, slug, name, checks_version)
      select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, 'shop-' || n, 'Shop ' || n, 1
      from generate_series(1, 600) n`,
    [paused.alice.organizationId],
  );
  await owner.query(
    `insert into checker (organization_id, project_id, version, is_on, pool, runner_id)
      select organization_id, id, 1, true, 'default', $2 from project
      where organization_id = $1 and slug like 'shop-%'`,
    [paused.alice.organizationId, paused.runner.actor.id],
  );
  await owner.query('update runner set paused_at = now() where id = $1', [paused.runner.actor.id]);

  const cast = await makeCast({ monitoring: MONITORING }, START);
  await assignCheckers(START);
  const other = await scopeOfRunner(await enrolTestRunner(cast.alice, 'runner-2'));
  expect((await getCheckPlan(cast.runner)).projects).toHaveLength(1);
  const later = new Date(START.getTime() + 61_000);
  for (const runner of [other, paused.runner]) {
    await recordHeartbeat(
      runner,
      { protocol: 1, capabilities: TEST_CAPABILITIES, running: [] },
      later,
    );
  }
  for (let past = 120; past >= 0; past -= 10) {
    await recordPresence(new Date(later.getTime() - past * 1_000));
  }
  await assignCheckers(later);
  expect((await getCheckPlan(other)).projects).toHaveLength(1);
});

it('[INC-1.1] results are deleted after 14 days, hours after 400, each even where the other can’t be', async () => {
  const cast = await makeCast({ monitoring: MONITORING }, START);
  await assignCheckers(START);
  const { projects } = await getCheckPlan(cast.runner);
  const daysAgo = (days: number) => new Date(START.getTime() - days * 86_400_000);
  for (const [at, number] of [
    [daysAgo(401), 1],
    [daysAgo(15), 2],
    [daysAgo(13), 3],
  ] as const) {
    const results = projects.flatMap(({ projectId, epoch, checks }) =>
      checks.slice(0, 1).map(({ checkId }) => ({
        ...{ projectId, epoch, checkId, status: 'healthy' as const, error: '', responseTimeMs: 3 },
        ...{ ranAt: at.toISOString(), agoMs: 0 },
        run: { processId: '01930000-0000-4000-8000-00000000000a', number },
      })),
    );
    await recordCheckPlanResults(cast.runner, { results }, at);
  }
  const counts = async () => {
    const { rows } = await owner.query(
      `select (select count(*)::int from check_result) as results, (select count(*)::int from check_hour) as hours`,
    );
    return rows[0];
  };
  expect(await counts()).toEqual({ results: 3, hours: 3 });
  await owner.query(`create function refuse() returns trigger language plpgsql as
      'begin raise exception ''not now''; end'`);
  await owner.query(
    'create trigger refuse before delete on check_hour for each statement execute function refuse()',
  );
  await expect(pruneCheckResults(START)).rejects.toThrow('not now');
  expect(await counts()).toEqual({ results: 1, hours: 3 });
  await owner.query('drop trigger refuse on check_hour');
  await pruneCheckResults(START);
  expect(await counts()).toEqual({ results: 1, hours: 2 });
});

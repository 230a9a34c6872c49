/** Many projects whose slot is due at the same instant: rows and jobs for all of them. */

import type pg from 'pg';
import { startDueChains } from '@/lib/engine/chains/start-chain';
import { makeCast } from '@/tests/support/cast/organization';
import { inSeconds, isFull, printResult } from './support/figures';
import { withScratchDatabase } from './support/scratch-database';

const PROJECTS = isFull ? 20_000 : 2_000;
const PROJECTS_OF_ONE = 100;

/** The target is for the full table. */
const isMet = (ms: number) => (ms <= (3_000 * PROJECTS) / 20_000 ? 'met' : 'not met');

/**
 * Organizations with a pool each, their projects copies of a real one, due since a minute. Each has
 * run once: on empty tables PostgreSQL would plan its checks of foreign keys for empty tables.
 */
async function seed(superuser: pg.Client): Promise<void> {
  const { projectId } = await makeCast({
    schedule: { kind: 'interval', everySeconds: 3_600, timeZone: 'UTC' },
  });
  const organizations = PROJECTS / PROJECTS_OF_ONE;
  await superuser.query(`create temp table tenant as
    select uuidv7() as id, n from generate_series(1, ${organizations}) as n`);
  await superuser.query(`insert into organization (id, slug, name)
    select id, 'bench-' || n, 'Bench ' || n from tenant`);
  await superuser.query(`insert into runner_pool (id, organization_id, name)
    select uuidv7(), id, 'default' from tenant`);
  await superuser.query(`create temp table copy as
    select uuidv7() as id, t.id as organization_id, of_one as n
    from tenant t, generate_series(1, ${PROJECTS_OF_ONE}) as of_one`);
  await superuser.query(`insert into project (id, organization_id, slug, name, next_run_at,
      last_chain_number, last_session_number)
    select id, organization_id, 'bench-' || n, 'Bench ' || n, date_trunc('minute', now()), 1, 1 from copy`);
  await superuser.query(
    `insert into project_version (organization_id, project_id, version, config, author)
      select c.organization_id, c.id, 1, v.config, v.author
      from copy c, project_version v where v.project_id = $1`,
    [projectId],
  );
  await superuser.query(
    `insert into threshold (organization_id, project_id, version, scope, name, value)
      select c.organization_id, c.id, 1, t.scope, t.name, t.value
      from copy c, threshold t where t.project_id = $1`,
    [projectId],
  );
  await superuser.query(`insert into chain (id, organization_id, project_id, number, slot_at, trigger,
      status, outcome, project_version, services_affected, ended_at)
    select id, organization_id, id, 1, now() - interval '1 hour', 'schedule',
      'ended', 'healthy', 1, '{}', now() from copy`);
  await superuser.query(`insert into session (id, organization_id, project_id, chain_id, number, tier,
      status, model, project_version, ended_at)
    select id, organization_id, id, id, 1, 1, 'completed', 'haiku', 1, now() from copy`);
  await superuser.query(`insert into attempt (id, organization_id, project_id, session_id, number,
      pool_id, status, end_kind, ended_at, settled_at)
    select c.id, c.organization_id, c.id, c.id, 1, p.id, 'ended', 'completed', now(), now()
    from copy c join runner_pool p on p.organization_id = c.organization_id`);
  await superuser.query('analyze');
}

async function count(superuser: pg.Client, sql: string): Promise<number> {
  const { rows } = await superuser.query<{ count: string }>(`select count(*) as count ${sql}`);
  return Number(rows[0]?.count);
}

await withScratchDatabase({ isThrowaway: false }, async (superuser) => {
  await seed(superuser);
  const beganAt = performance.now();
  const made = await startDueChains();
  const tookMs = performance.now() - beganAt;
  const again = await startDueChains();
  const rows = {
    chains: await count(superuser, `from chain where status = 'queued'`),
    sessions: await count(superuser, `from session where status = 'queued'`),
    attempts: await count(superuser, `from attempt where status = 'queued'`),
    jobs: await count(superuser, 'from bullmq_runner.job'),
  };
  const isExact = again === 0 && Object.values(rows).every((found) => found === PROJECTS);
  printResult({
    title: `${PROJECTS} projects due at once`,
    target: 'each exactly one chain and one job; 20,000 within 3 s',
    figures: {
      'chains, sessions, attempts, jobs': `${Object.values(rows).join(', ')}${isExact ? '' : ' (wrong)'}`,
      'rows and jobs': `${inSeconds(tookMs)} (${made} chains; ${isMet(tookMs)})`,
    },
  });
});

/** 1,000 services that go down and come back at once: how long it takes to store, and what it costs. */
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import { assignCheckers } from '@/lib/monitoring/sweep';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { createProject } from '@/lib/projects/manage-project';
import { MAX_CHECK_RESULTS } from '@/lib/protocol/monitoring';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import '@/tests/support/subscriptions';
import { inMs, inSeconds, printResult } from './support/figures';
import { withScratchDatabase } from './support/scratch-database';
import { countStatements } from './support/statements';

const PROJECTS = 10;
const SERVICES = 100;

const settings = {
  monitoring: { everySeconds: 60, failures: 1, lastResults: 1 },
  services: Array.from({ length: SERVICES }, (_, number) => ({
    name: `service-${number}`,
    checks: [{ type: 'tcp' as const, target: '127.0.0.1:9', timeoutSeconds: 5 }],
  })),
};

/** One runner that runs the checks of all projects. */
async function seed(): Promise<Cast> {
  const cast = await makeCast(settings);
  for (let number = 1; number < PROJECTS; number += 1) {
    const project = { name: `Project ${number}`, slug: `project-${number}` };
    await createProject(cast.alice, { ...project, config: testConfig(settings) });
  }
  await assignCheckers();
  await report(cast, 'healthy');
  return cast;
}

/** Reports that every check finds the same, in as many requests as a runner sends. */
async function report({ runner }: Cast, status: 'healthy' | 'down', projects = PROJECTS) {
  const plan = await getCheckPlan(runner);
  const results = plan.projects.slice(0, projects).flatMap(({ projectId, epoch, checks }) =>
    checks.map(({ checkId }) => ({
      ...{ projectId, epoch, checkId, status, error: status === 'down' ? 'Refused.' : '' },
      ...{ responseTimeMs: null, ranAt: new Date().toISOString(), agoMs: 0 },
    })),
  );
  const cpuBefore = process.cpuUsage();
  const beganAt = performance.now();
  const statements = await countStatements(async () => {
    for (let at = 0; at < results.length; at += MAX_CHECK_RESULTS) {
      const sent = results.slice(at, at + MAX_CHECK_RESULTS);
      const { refused, notStored } = await recordCheckPlanResults(runner, { results: sent });
      if (refused.length + notStored.length > 0) throw new Error('Results were not stored.');
    }
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  return { statements, ms: performance.now() - beganAt, cpuMs: (user + system) / 1_000 };
}

type Report = Awaited<ReturnType<typeof report>>;

const inWords = ({ statements, ms, cpuMs }: Report) =>
  `${statements} statements, ${inMs(ms)}, ${inMs(cpuMs)} of CPU without PostgreSQL`;

await withScratchDatabase({ isThrowaway: false }, async () => {
  const cast = await seed();
  const down = await report(cast, 'down', 1);
  const up = await report(cast, 'healthy', 1);
  const allDown = await report(cast, 'down');
  const allUp = await report(cast, 'healthy');
  const incidents = await inTransaction(cast.alice, (db) =>
    db.incident.count({ where: { state: 'verifying' } }),
  );
  const tookMs = allDown.ms + allUp.ms;
  const isMet = incidents === PROJECTS && tookMs <= 10_000;
  printResult({
    title: `${PROJECTS * SERVICES} services that go down and come back at once`,
    target: 'stored within 10 s, and no more statements for a project with more services',
    figures: {
      [`${SERVICES} of one project go down`]: inWords(down),
      [`${SERVICES} of one project come back`]: inWords(up),
      'all go down': inWords(allDown),
      'all come back': inWords(allUp),
      'both together': `${inSeconds(tookMs)} (${incidents} incidents; ${isMet ? 'met' : 'not met'})`,
    },
  });
});

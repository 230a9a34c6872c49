/** Cost of healthy days and chains avoided, from the rows of real checks and chains. */
import { expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { recordHeartbeat } from '@/lib/engine/directives';
import { getHealthyFigures, getOrganizationHealth } from '@/lib/insight/spend/get-healthy';
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import { keepCheckers } from '@/lib/monitoring/sweep';
import { createProject } from '@/lib/projects/manage-project';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { TEST_POSTURE } from '@/tests/support/cast/posture';
import { claimNext, play } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { saveConfig } from '../engine/support/running';

useTestDatabase();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The checks are created now, and so exist for all of tomorrow. */
const TOMORROW = new Date((Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS);
const at = (hour: number) => new Date(TOMORROW.getTime() + hour * HOUR_MS);

const monitoring = (everySeconds: number | null) => {
  return { monitoring: { everySeconds, failures: 2, lastResults: 3 } };
};

async function beat({ runner }: Cast, now: Date): Promise<void> {
  await recordHeartbeat(runner, { protocol: 1, posture: TEST_POSTURE, running: [] }, now);
  await keepCheckers(now);
}

/** Each check has one result in the hour; `web` has this one. */
async function checkHour(cast: Cast, hour: number, web: 'healthy' | 'down' | 'unknown') {
  const now = at(hour + 0.5);
  await beat(cast, now);
  const { projects } = await getCheckPlan(cast.runner);
  const results = projects.flatMap(({ projectId, epoch, checks }) =>
    checks.map(({ checkId, service }) => ({
      ...{ projectId, epoch, checkId, agoMs: 0, ranAt: now.toISOString(), error: '' },
      ...{ status: service === 'web' ? web : ('healthy' as const), responseTimeMs: null },
    })),
  );
  expect(results).toHaveLength(2 * projects.length);
  await recordCheckPlanResults(cast.runner, { results }, now);
}

function figuresOf(cast: Cast, from: number, to: number, scope = cast.alice) {
  const { projectId } = cast;
  return getHealthyFigures(scope, { projectId, from: at(from), to: at(to) }, at(to));
}

it('[INC-1.2] compares with the schedule before, in hours in which every check passed', async () => {
  const cast = await makeCast({
    ...monitoring(null),
    schedule: { kind: 'interval', everySeconds: 900, timeZone: 'UTC' },
  });
  await saveConfig(cast, { ...monitoring(60), schedule: { kind: 'manual', timeZone: 'UTC' } });
  await beat(cast, new Date());
  for (let hour = 0; hour < 24; hour += 1) await checkHour(cast, hour, 'healthy');
  await checkHour(cast, 24, 'down');
  await checkHour(cast, 26, 'healthy');
  await checkHour(cast, 27, 'unknown');

  expect(await figuresOf(cast, 0, 24)).toMatchObject({
    hours: 24,
    avoided: 96,
    unknownSlots: 0,
    reference: { version: 1, schedule: { everySeconds: 900 } },
    days: { count: 1, meanMicros: 0 },
  });
  // One hour failed, one has no results, one passed, and in one a result is unknown.
  expect(await figuresOf(cast, 24, 28)).toMatchObject({
    hours: 4,
    avoided: 4,
    unknownSlots: 8,
    days: null,
  });
  // What hasn't been yet isn't judged.
  expect(
    await getHealthyFigures(
      cast.alice,
      { projectId: cast.projectId, from: at(0), to: at(48) },
      at(10),
    ),
  ).toMatchObject({ hours: 10, avoided: 40 });

  await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' }, at(5.5));
  await beat(cast, at(5.5));
  await play(cast.runner, await claimNext(cast.runner, at(5.5)), { report: {} }, at(5.5));
  const after = await figuresOf(cast, 0, 24);
  expect(after).toMatchObject({ avoided: 95, days: { count: 1 } });
  expect(after.days?.meanMicros).toBeGreaterThan(0);

  const stranger = await makeCast();
  expect(await figuresOf(cast, 0, 24, stranger.alice)).toMatchObject({ hours: 0, days: null });
});

it('[INC-1.2] a project that never ran by schedule alone is compared with the former default', async () => {
  const cast = await makeCast(monitoring(60));
  await beat(cast, new Date());
  await checkHour(cast, 0, 'healthy');
  expect(await figuresOf(cast, 0, 1)).toMatchObject({
    hours: 1,
    avoided: 6,
    reference: { version: null, schedule: { everySeconds: 600 } },
  });
});

it('[INC-1.2] without such checks it’s unknown', async () => {
  const cast = await makeCast(monitoring(null));
  await beat(cast, new Date());
  expect(await figuresOf(cast, 0, 24)).toMatchObject({ hours: 0, avoided: null, days: null });
});

it('[INC-1.2] the organization’s figures are those of each of its projects', async () => {
  const cast = await makeCast(monitoring(60));
  const config = testConfig(monitoring(60));
  await createProject(cast.alice, { name: 'Shop', slug: 'shop', config }, new Date());
  await createProject(cast.alice, {
    name: 'Off',
    slug: 'off',
    config: testConfig(monitoring(null)),
  });
  await beat(cast, new Date());
  for (let hour = 0; hour < 3; hour += 1) await checkHour(cast, hour, 'healthy');
  await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' }, at(1.5));
  const span = { from: at(0), to: at(3) };
  const { health, projects } = await getOrganizationHealth(cast.alice, span, at(3));
  expect(projects).toBe(2);
  const own = health.find(({ slug }) => slug === cast.projectSlug);
  expect(own?.figures).toEqual(await figuresOf(cast, 0, 3));
  expect(own).toMatchObject({ name: 'Checkout', figures: { hours: 3, avoided: 17 } });
  const shop = health.find(({ slug }) => slug === 'shop');
  expect(shop).toMatchObject({ figures: { hours: 3, avoided: 18 }, basis: { kind: 'assumed' } });
  // The longer the span, the fewer projects are read.
  const years = { from: new Date(at(3).getTime() - 4_000 * DAY_MS), to: at(3) };
  const cut = await getOrganizationHealth(cast.alice, years, at(3));
  expect(cut.projects).toBe(2);
  expect(cut.health).toHaveLength(1);
  const stranger = await makeCast();
  expect(await getOrganizationHealth(stranger.alice, span, at(3))).toEqual({
    ...{ health: [], projects: 0 },
  });
});

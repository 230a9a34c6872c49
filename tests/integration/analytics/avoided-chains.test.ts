/** The chains that checks without an agent avoided, from the rows of real checks and chains. */
import { expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { recordHeartbeat } from '@/lib/engine/directives';
import { avoidedSentence, getAvoidedFigures } from '@/lib/insight/spend/get-spend';
import { getCheckPlan, recordCheckPlanResults } from '@/lib/monitoring/runner-checks';
import { assignCheckers } from '@/lib/monitoring/sweep';
import { TEST_CAPABILITIES } from '@/tests/support/cast/capabilities';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOMORROW = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
const at = (hour: number) => new Date(TOMORROW + hour * HOUR_MS);

/** Every check of the cast's projects reports at half past the hour. */
async function checkHour({ runner }: Cast, hour: number) {
  const now = at(hour + 0.5);
  await recordHeartbeat(runner, { protocol: 1, capabilities: TEST_CAPABILITIES, running: [] }, now);
  await assignCheckers(now);
  const { projects } = await getCheckPlan(runner);
  const results = projects.flatMap(({ projectId, epoch, checks }) =>
    checks.map(({ checkId }) => ({
      ...{ projectId, epoch, checkId, agoMs: 0, ranAt: now.toISOString(), error: '' },
      ...{ status: 'healthy' as const, responseTimeMs: null },
    })),
  );
  expect(results).toHaveLength(2);
  await recordCheckPlanResults(runner, { results }, now);
}

it('[INC-1.2] counts the hours with results in which no chain started, of this project only', async () => {
  const monitoring = { everySeconds: 60, failures: 2, lastResults: 3 };
  const cast = await makeCast({ monitoring, schedule: { kind: 'manual', timeZone: 'UTC' } });
  const other = await makeCast({ monitoring });
  const between = (
    from: number,
    to: number,
    { alice, projectId }: Pick<Cast, 'alice' | 'projectId'> = cast,
  ) => getAvoidedFigures(alice, { projectId, from: at(from), to: at(to) });
  expect(await between(0, 24)).toEqual({ hours: 0, quiet: 0 });

  for (const hour of [0, 1, 2, 4]) await checkHour(cast, hour);
  await startChain(cast.alice, { projectId: cast.projectId, trigger: 'manual' }, at(1.7));
  const chains = await between(0, 24);

  expect(chains).toEqual({ hours: 4, quiet: 3 });
  expect(await between(2, 4)).toEqual({ hours: 1, quiet: 1 });
  expect(await between(0, 24, other)).toEqual({ hours: 0, quiet: 0 });
  const strangers = { alice: other.alice, projectId: cast.projectId };
  expect(await between(0, 24, strangers)).toEqual({ hours: 0, quiet: 0 });
  expect(avoidedSentence(chains, 'the last 7 days')).toBe(
    'Checks ran without an agent in 4 hours of the last 7 days. An hourly schedule would have started 3 more chains.',
  );
});

/** Schedules keep a next run; one that has none is found and reported. */
import { afterEach, expect, it } from 'vitest';
import { startDueChains } from '@/lib/engine/chains/start-chain';
import { listProjectFacts } from '@/lib/insight/dashboard/data';
import { systemDb } from '@/lib/platform/db/global-db';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { restoreLostSchedules } from '@/lib/projects/schedules/lost-rows';
import type { Schedule } from '@/lib/projects/schedules/schema';
import { listInstallationProblems } from '@/lib/watchdog/get-health';
import { watch } from '@/lib/watchdog/watch';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { setNextRun, stopSchedules } from './support/scheduled-projects';

const database = useTestDatabase();
const SANTIAGO: Schedule = {
  kind: 'cron',
  expression: '0 0 * * *',
  timeZone: 'America/Santiago',
};

/** Clocks go forward at midnight, to 01:00, which is 04:00 in UTC. */
const GAP = new Date('2027-09-05T04:00:00Z');
const NOW = new Date('2027-09-05T12:00:00Z');

const nextRunOf = ({ alice, projectId }: Cast) =>
  inTransaction(alice, async (db) => {
    const project = await db.project.findFirstOrThrow({ where: { id: projectId } });
    return project.nextRunAt;
  });

/** Stores a zone that this system doesn't know, as if its data had been newer before. */
function forgetZone({ projectId }: Cast) {
  return runSql(
    database.superuserUrl,
    `update project_version set config = jsonb_set(config, '{schedule,timeZone}', '"Mars/Olympus"')
      where project_id = '${projectId}'`,
  );
}

async function problems() {
  await watch({ component: 'web', since: NOW }, NOW);
  return (await listInstallationProblems(NOW)).filter(({ component }) => component === 'schedule');
}

// Other tests of this file see the schedules of every organization.
afterEach(async () => {
  await runSql(
    database.superuserUrl,
    `update project_version set config = jsonb_set(config, '{schedule}', '{"kind": "manual", "timeZone": "UTC"}')`,
  );
  await stopSchedules(database);
  await systemDb('tests of schedules').installationProblem.deleteMany();
});

it('[SIG-3.1] the slot before clocks go forward at midnight is followed by the one right after it', async () => {
  const cast = await makeCast({ schedule: SANTIAGO }, new Date('2027-09-04T03:57:00Z'));
  expect(await nextRunOf(cast)).toEqual(new Date('2027-09-04T04:00:00Z'));
  expect(await startDueChains(new Date('2027-09-04T04:00:00.150Z'))).toBe(1);
  expect(await nextRunOf(cast)).toEqual(GAP);
  expect(await startDueChains(new Date(GAP.getTime() + 150))).toBe(1);
  expect(await nextRunOf(cast)).toEqual(new Date('2027-09-06T03:00:00Z'));
});

it('[SIG-3.1] enabled schedules that lost their next run get one, and manual ones don’t', async () => {
  const lost = await makeCast({ schedule: SANTIAGO }, NOW);
  const manual = await makeCast({ schedule: { kind: 'manual', timeZone: 'UTC' } }, NOW);
  await setNextRun(lost.alice, lost.projectId, null);
  expect(await restoreLostSchedules(NOW)).toBe(1);
  expect(await nextRunOf(lost)).toEqual(new Date('2027-09-06T03:00:00Z'));
  expect(await nextRunOf(manual)).toBeNull();
  expect(await restoreLostSchedules(NOW)).toBe(0);
});

it('[SIG-3.1] a schedule that can’t be read holds up no other, and is a problem of the installation', async () => {
  const broken = await makeCast({ schedule: SANTIAGO }, new Date('2027-09-04T03:57:00Z'));
  const other = await makeCast({ schedule: SANTIAGO }, new Date('2027-09-04T03:57:00Z'));
  expect(await problems()).toEqual([]);
  await forgetZone(broken);
  expect(await startDueChains(new Date('2027-09-04T04:00:01Z'))).toBe(1);
  expect(await nextRunOf(other)).toEqual(GAP);
  expect(await nextRunOf(broken)).toBeNull();
  expect(await problems()).toMatchObject([
    { kind: 'no_next_run', title: 'Schedules have no next run', until: null },
  ]);
  const factsOf = ({ alice }: Cast) => inTransaction(alice, (db) => listProjectFacts(db, NOW));
  expect(await factsOf(broken)).toMatchObject([{ nextRunAt: null, hasLostSchedule: true }]);
  expect(await factsOf(other)).toMatchObject([{ hasLostSchedule: false }]);
  expect(await restoreLostSchedules(NOW)).toBe(0);
  expect(await problems()).toHaveLength(1);
});

/** Projects whose checks can't move don't keep those of other organizations from moving. */
import { expect, it } from 'vitest';
import { Prisma } from '@/generated/prisma/client';
import { keepCheckers } from '@/lib/monitoring/sweep';
import { executeRaw } from '@/lib/platform/db/raw';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import '@/tests/support/subscriptions';

useTestDatabase();

const START = new Date();
const MONITORING = { everySeconds: 60, failures: 2, lastResults: 3 };

/** Copies the organization's project with its checker. */
async function repeatProject({ alice }: Cast, copies: number): Promise<void> {
  const { organizationId } = alice;
  await inTransaction(alice, async (db) => {
    await executeRaw(
      db,
      Prisma.sql`with copied as (
          insert into project (id, organization_id, slug, name, current_version)
          select gen_random_uuid(), organization_id, slug || '-' || n, name, current_version
          from project, generate_series(1, ${copies}::int) n where organization_id = ${organizationId}::uuid
          returning organization_id, id, current_version
        ), configured as (
          insert into project_version (organization_id, project_id, version, config, author)
          select c.organization_id, c.id, v.version, v.config, v.author
          from copied c join project_version v on v.organization_id = c.organization_id
        )
        insert into checker (organization_id, project_id, version, is_on, runner_id)
        select c.organization_id, c.id, k.version, k.is_on, k.runner_id
        from copied c join checker k on k.organization_id = c.organization_id`,
    );
  });
}

it('[INC-1.1] 600 projects of a paused runner keep no other organization’s from getting a runner', async () => {
  const [one, other] = [
    await makeCast({ monitoring: MONITORING }, START),
    await makeCast({ monitoring: MONITORING }, START),
  ];
  await keepCheckers(START);
  await inTransaction(one.alice, (db) =>
    db.runner.updateMany({ data: { pausedAt: START, pausedBy: 'Alice' } }),
  );
  await repeatProject(one, 600);
  await inTransaction(other.alice, (db) => db.checker.updateMany({ data: { runnerId: null } }));
  await keepCheckers(START);
  const checkersOf = ({ alice }: Cast) =>
    inTransaction(alice, (db) => db.checker.findMany({ select: { runnerId: true } }));
  expect(await checkersOf(other)).toEqual([{ runnerId: expect.any(String) }]);
  const paused = await checkersOf(one);
  expect(paused).toHaveLength(601);
  expect(new Set(paused.map(({ runnerId }) => runnerId))).toEqual(new Set([one.runner.actor.id]));
});

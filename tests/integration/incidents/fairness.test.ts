import { sql } from 'kysely';
/** Incidents of one organization don't keep those of another one waiting. */
import { expect, it } from 'vitest';
import { advanceIncidents } from '@/lib/incidents/sweep';
import { changedBy } from '@/lib/platform/db/sql';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { seedIncident } from '@/tests/support/cast/incident';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const NOW = new Date('2026-11-26T03:00:00Z');
const inSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

/** Copies the organization's incident: each has a look that can't start while web is snoozed. */
async function repeatIncident({ alice }: Cast, copies: number): Promise<void> {
  await inTransaction(alice, async (db) => {
    await db.service.updateMany({ data: { snoozedUntil: inSeconds(86_400) } });
    await changedBy(
      db,
      sql`with copied as (
          insert into incident (id, organization_id, project_id, number, source, severity, started_at, opened_at,
            look_due_at, due_at)
          select gen_random_uuid(), organization_id, project_id, number + n, source, severity, started_at, opened_at,
            look_due_at, due_at
          from incident, generate_series(1, ${copies}::int) n
          where organization_id = ${alice.organizationId}::uuid
          returning organization_id, id
        )
        insert into incident_service (organization_id, incident_id, service_id, name, status, worst, failing_since)
        select c.organization_id, c.id, s.service_id, s.name, s.status, s.worst, s.failing_since
        from copied c join incident_service s on s.organization_id = c.organization_id`,
    );
  });
}

const chainsOf = ({ alice }: Cast) => inTransaction(alice, (db) => db.chain.count());

it('[INC-2.1] 600 incidents that wait keep no other organization’s from being looked at', async () => {
  const one = await makeCast({}, NOW);
  const other = await makeCast({}, NOW);
  await seedIncident(one.alice, NOW);
  await repeatIncident(one, 599);
  await seedIncident(other.alice, inSeconds(1));
  // The first sweep is full of those that have been due for longer.
  await advanceIncidents(inSeconds(2));
  expect(await chainsOf(other)).toBe(0);
  await advanceIncidents(inSeconds(4));
  expect(await chainsOf(other)).toBe(1);
  expect(await chainsOf(one)).toBe(0);
});

it('[INC-2.1] an incident that can’t be processed comes after the others', async () => {
  const cast = await makeCast({}, NOW);
  await seedIncident(cast.alice, NOW);
  const { id } = await inTransaction(cast.alice, (db) => db.incident.findFirstOrThrow({}));
  const find = () =>
    inTransaction(cast.alice, (db) => db.incident.findFirstOrThrow({ where: { id } }));
  // A version that doesn't exist: reading its configuration fails.
  await inTransaction(cast.alice, (db) => db.project.updateMany({ data: { currentVersion: 99 } }));
  expect(await advanceIncidents(inSeconds(1))).toBe(0);
  expect(await find()).toMatchObject({ dueAt: inSeconds(61) });
});

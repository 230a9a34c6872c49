/** What the columns of each state can hold, by the database and by the code that reads it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Prisma } from '@/generated/prisma/client';
import { STORED, toStored } from '@/lib/incidents/incident-rows';
import { INCIDENT_RESOLUTIONS } from '@/lib/incidents/states';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { combinations } from '@/tests/support/incidents';

const database = useTestDatabase();
const AT = new Date('2026-11-26T03:00:00Z');

type Columns = Partial<Prisma.IncidentUncheckedCreateInput>;

/** Stores an incident of the organization. Returns its UUID. */
async function store({ alice, projectId }: Cast, number: number, columns: Columns) {
  const { organizationId } = alice;
  const given = Object.entries(columns).filter(([, value]) => value !== null);
  const { id } = await inTransaction(alice, (db) =>
    db.incident.create({
      data: {
        ...{ organizationId, projectId, number, source: 'check', severity: 'critical' },
        ...{ startedAt: AT, openedAt: AT, ...Object.fromEntries(given) },
      },
    }),
  );
  return id;
}

const read = ({ alice }: Cast) =>
  inTransaction(alice, (db) =>
    db.incident.findMany({ include: STORED, orderBy: { number: 'asc' } }),
  );

it('[INC-2.1] the database takes the columns of a state that the code can read, and no others', async () => {
  const cast = await makeCast();
  const otherId = await store(cast, 1, {});
  const taken: Record<string, boolean> = {};
  for (const [index, { title, columns }] of combinations(otherId).entries()) {
    const storing = store(cast, index + 2, columns as Columns);
    taken[title] = await storing.then(
      () => true,
      () => false,
    );
  }
  expect(taken).toEqual(
    Object.fromEntries(combinations(otherId).map(({ title, isPossible }) => [title, isPossible])),
  );
  for (const row of await read(cast)) expect(toStored(row).state).toBe(row.state);
});

it('[INC-2.1] what earlier versions left behind in a state is cleared by the upgrade', async () => {
  const cast = await makeCast();
  await runSql(database.ownerUrl, 'alter table incident drop constraint incident_state');
  const intoId = await store(cast, 1, {});
  const all: Columns = {
    ...{ acknowledgedAt: AT, acknowledgedBy: 'Ana', acknowledgementEndsAt: AT, silencedBy: 'Ana' },
    ...{ verifyingSince: AT, needsHumanSince: AT, unproven: [], fixChainId: intoId, dueAt: AT },
    ...{ lookDueAt: AT, humanDueAt: AT, heldNotices: ['needs_human'] },
  };
  const states = ['acknowledged', 'verifying'].flatMap((state): Columns[] => [
    { state },
    { state, ...all },
  ]);
  const ends = INCIDENT_RESOLUTIONS.flatMap((resolution): Columns[] => {
    const mergedIntoId = resolution === 'merged' ? intoId : null;
    const end = { state: 'resolved', resolvedAt: AT, resolution, mergedIntoId };
    return [end, { ...end, ...all, resolvedBy: 'Ben' }];
  });
  const partial: Columns = { acknowledgementEndsAt: AT, needsHumanChainId: intoId, unproven: [] };
  for (const [index, columns] of [partial, all, ...states, ...ends].entries()) {
    await store(cast, index + 2, columns);
  }
  await runSql(
    database.ownerUrl,
    readFileSync('prisma/migrations/20261203100000_incident_states/migration.sql', 'utf8'),
  );

  const incidents = (await read(cast)).map(toStored);
  expect(incidents.slice(1, 7).map(({ state }) => state)).toEqual([
    ...['open', 'acknowledged', 'open', 'acknowledged', 'verifying', 'verifying'],
  ]);
  // What belongs to the state stays.
  expect(incidents[4]).toMatchObject({
    acknowledgement: { at: AT, by: 'Ana', endsAt: AT },
    ...{ silence: { by: 'Ana' }, needsHuman: { since: AT }, fixChainId: intoId, humanDueAt: AT },
  });
  expect(incidents[6]).toMatchObject({ verifyingSince: AT, fixChainId: intoId });
  const ended = incidents.slice(7).flatMap((each) => (each.state === 'resolved' ? [each] : []));
  expect(
    ended.map((each) => [each.resolution, 'resolvedBy' in each ? each.resolvedBy : null]),
  ).toEqual([
    ...[
      ['recovered', null],
      ['recovered', null],
      ['recovered', null],
      ['fixed', null],
    ],
    ...[
      ['removed', null],
      ['removed', null],
      ['manual', 'A person'],
      ['manual', 'Ben'],
    ],
    ...[
      ['merged', 'A person'],
      ['merged', 'Ben'],
      ['reported', null],
      ['reported', null],
    ],
  ]);
});

/** What figures of incidents read of their events, services and alerts. */
import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import type { Prisma } from '@/generated/prisma/client';
import { listIncidentFacts } from '@/lib/insight/incident-figures/data';
import { getIncidentFiguresDto } from '@/lib/insight/incident-figures/get-incident-figures';
import { judgeFix } from '@/lib/insight/incident-figures/judge-fixes';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const at = (clock: string, day = 25) => new Date(`2026-11-${day}T${clock}:00Z`);
const NOW = at('12:00', 28);
const FROM = at('00:00', 24);

interface Event {
  at: Date;
  kind: string;
  [fact: string]: unknown;
}

/** Names stand for ids: `web`, `db`, `a`, `b`. */
const fails = (clock: string, since = clock, serviceId = 'web', day = 25): Event => ({
  ...{ kind: 'service_failing', serviceId, at: at(clock, day), name: serviceId, status: 'down' },
  ...{ failingSince: at(since, day).toISOString(), error: '' },
});
const ended = (clock: string, chainId: string, outcome: string): Event => ({
  ...{ kind: 'chain_ended', chainId, outcome, at: at(clock), text: '' },
});
const started = (clock: string, chainId: string): Event => ({
  ...{ kind: 'chain_started', chainId, at: at(clock) },
});
const well = (clock: string, serviceId = 'web'): Event => ({
  ...{ kind: 'service_recovered', serviceId, at: at(clock) },
});
const fires = (clock: string, newest = clock, day = 25): Event => ({
  ...{ kind: 'alert_firing', at: at(clock, day), newestAt: at(newest, day).toISOString() },
});
const plain = (kind: string, clock: string): Event => ({ kind, at: at(clock) });

interface Written {
  number?: number;
  services?: string[];
  columns?: Partial<Prisma.IncidentUncheckedCreateInput>;
}

/** Writes rows as they would be after these events; returns the incident's UUID. */
async function write(
  { alice, projectId }: Cast,
  events: Event[],
  { number = 1, services = ['web'], columns = {} }: Written = {},
): Promise<string> {
  const { organizationId } = alice;
  return inTransaction(alice, async (db) => {
    const known = await db.service.findMany({ where: { projectId } });
    const idOf = (name: string) => known.find((service) => service.name === name)?.id ?? '';
    const chains: Record<string, string> = { a: CHAIN_A, b: CHAIN_B };
    const end = events.findLast(({ kind }) => kind === 'verified' || kind === 'resolved');
    const isOpen = events.at(-1) !== end;
    const { id } = await db.incident.create({
      data: {
        ...{ organizationId, projectId, number, source: 'check', severity: 'critical' },
        ...{ startedAt: at('03:00'), openedAt: events[0]?.at ?? at('03:02') },
        ...(end && !isOpen
          ? { state: 'resolved', resolvedAt: end.at, resolution: 'fixed', fixChainId: CHAIN_A }
          : { state: 'open' }),
        ...columns,
      },
    });
    for (const name of services) {
      await db.incidentService.create({
        data: {
          ...{ organizationId, incidentId: id, serviceId: idOf(name), name },
          ...{ status: 'down', worst: 'down', failingSince: at('03:00') },
        },
      });
    }
    await db.incidentEvent.createMany({
      data: events.map(({ at: moment, ...event }, index) => ({
        ...{ organizationId, incidentId: id, sequence: index + 1, at: moment, kind: event.kind },
        event: {
          ...event,
          ...(typeof event.serviceId === 'string' ? { serviceId: idOf(event.serviceId) } : {}),
          ...(typeof event.chainId === 'string' ? { chainId: chains[event.chainId] } : {}),
        } as Prisma.InputJsonObject,
      })),
    });
    return id;
  });
}

const CHAIN_A = uuidv7();
const CHAIN_B = uuidv7();

async function factsOf({ alice }: Cast, to = NOW) {
  const { organizationId } = alice;
  const span = { organizationId, projectId: null, from: FROM, to };
  return inTransaction(alice, (db) => listIncidentFacts(db, span, 100));
}

/** Of the oldest incident. */
async function verdictsOf(cast: Cast): Promise<string[]> {
  const incident = (await factsOf(cast)).at(-1);
  if (!incident) throw new Error('There is no incident.');
  return incident.fixes.map((fix) => judgeFix(incident, fix, NOW).verdict);
}

const OUTAGE = [fails('03:02', '03:00'), started('03:02', 'a'), ended('03:05', 'a', 'fixed')];
const PROVEN = [...OUTAGE, well('03:06'), plain('verified', '03:16')];

it.each<[string, Event[], Written['columns'], string[]]>([
  ['the checks passed for the whole window', PROVEN, {}, ['proven']],
  ['no chain reported a fix', [...OUTAGE.slice(0, 2), ended('03:05', 'a', 'failed')], {}, []],
  [
    'still verifying',
    [...OUTAGE, well('03:06')],
    { state: 'verifying', verifyingSince: at('03:06') },
    ['pending'],
  ],
  ['still failing', OUTAGE, {}, ['pending']],
  [
    'failed during the verification',
    [...OUTAGE, well('03:06'), fails('03:10'), well('03:20'), plain('verified', '03:30')],
    {},
    ['failed'],
  ],
  [
    'kept failing until it needed a human',
    [...OUTAGE, plain('needs_human', '03:08'), well('06:00'), plain('verified', '06:10')],
    { fixChainId: null, resolution: 'recovered' },
    ['failed'],
  ],
  [
    'a human was needed because checks gave no proof, and then they passed',
    [
      ...[...OUTAGE, well('03:06')],
      { ...plain('needs_human', '03:40'), unproven: [] },
      ...[well('06:00'), plain('verified', '06:10')],
    ],
    { fixChainId: null, resolution: 'recovered' },
    ['unproven'],
  ],
  [
    'kept failing until another chain fixed it',
    [
      ...OUTAGE,
      ...[started('03:09', 'b'), ended('03:12', 'b', 'fixed'), well('03:13')],
      plain('verified', '03:23'),
    ],
    { fixChainId: CHAIN_B },
    ['failed', 'proven'],
  ],
  [
    'a failure that began before the fix is noticed after it',
    [...OUTAGE, fails('03:06', '03:01', 'db'), well('03:07'), plain('verified', '03:17')],
    {},
    ['proven'],
  ],
  [
    'still failing, in another way, until the fix takes effect',
    [...OUTAGE, fails('03:06'), well('03:07'), plain('verified', '03:17')],
    {},
    ['proven'],
  ],
  [
    'a person resolved it first',
    [...OUTAGE, well('03:06'), plain('resolved', '03:10')],
    { resolution: 'manual', resolvedBy: 'Ana', fixChainId: null },
    ['unproven'],
  ],
  [
    'the incident credits another cause',
    PROVEN,
    { fixChainId: null, resolution: 'recovered' },
    ['unproven'],
  ],
  [
    'only the source of an alert says that it is over',
    [...OUTAGE, plain('alert_ended', '03:06'), plain('alerts_quiet', '03:16')],
    { state: 'resolved', resolvedAt: at('03:16'), resolution: 'reported' },
    ['unproven'],
  ],
  [
    'nothing checks it anymore',
    [...OUTAGE, { kind: 'service_removed', serviceId: 'web', at: at('03:06') }],
    { state: 'resolved', resolvedAt: at('03:06'), resolution: 'removed' },
    ['unproven'],
  ],
  ['reopened within a day', [...PROVEN, fails('03:50')], {}, ['recurred']],
  [
    'reopened a day later at the same minute',
    [...PROVEN, fails('03:06', '03:06', 'web', 26)],
    {},
    ['recurred'],
  ],
  [
    'failed again more than a day later',
    [...PROVEN, fails('03:07', '03:07', 'web', 26)],
    {},
    ['proven'],
  ],
  [
    'an alert fires during the verification',
    [...OUTAGE, well('03:06'), fires('03:10'), plain('alert_ended', '03:12')],
    {},
    ['failed'],
  ],
  [
    'an alert that began before the recovery arrives after it',
    [...OUTAGE, well('03:06'), fires('03:07', '03:05'), plain('verified', '03:16')],
    {},
    ['proven'],
  ],
  [
    'another alert begins before the fix takes effect',
    [...OUTAGE, fires('03:06'), well('03:07'), plain('verified', '03:17')],
    {},
    ['proven'],
  ],
])(
  '[INC-3.2] a reported fix is judged by what follows: %s',
  async (_, events, columns, verdicts) => {
    const cast = await makeCast();
    await write(cast, events, { columns });
    expect(await verdictsOf(cast)).toEqual(verdicts);
  },
);

it('[INC-3.2] a fix reported in an incident that is merged is judged by the one that took it over', async () => {
  const cast = await makeCast();
  const rootId = await write(
    cast,
    [fails('03:04', '03:04', 'db'), well('03:07', 'db'), plain('verified', '03:17')],
    { services: ['web', 'db'] },
  );
  const merged = {
    state: 'resolved',
    resolvedAt: at('03:06'),
    resolution: 'merged',
    resolvedBy: 'Ana',
  };
  await write(
    cast,
    [
      OUTAGE[0] as Event,
      plain('acknowledged', '03:03'),
      ...OUTAGE.slice(1),
      plain('merged', '03:06'),
    ],
    { number: 2, columns: { ...merged, mergedIntoId: rootId } },
  );
  const facts = await factsOf(cast);
  const root = facts.find(({ id }) => id === rootId);
  expect(root).toMatchObject({
    ...{ openedAt: at('03:02'), acknowledgedAt: at('03:03'), endedAt: at('03:07') },
    fixes: [{ settledBy: 'verified', settledAt: at('03:17'), recoveredAt: at('03:07') }],
  });
  expect(root?.fixes.map((fix) => judgeFix(root, fix, NOW).verdict)).toEqual(['proven']);
  expect(facts.find(({ id }) => id !== rootId)?.fixes).toEqual([]);
  const span = { from: FROM.toISOString(), to: NOW.toISOString() };
  expect(await getIncidentFiguresDto(cast.alice, span, NOW)).toMatchObject({
    ...{ incidents: 1, acknowledged: 1, leftOut: { merged: 1 } },
  });
});

it('[INC-3.2] counts a new incident of the same service against a fix, and one of another service not', async () => {
  const cast = await makeCast();
  await write(cast, PROVEN);
  await write(cast, [fails('20:00', '20:00', 'db')], { number: 2, services: ['db'] });
  expect(await verdictsOf(cast)).toEqual(['proven']);
  await write(cast, [fails('20:00')], { number: 3 });
  expect(await verdictsOf(cast)).toEqual(['recurred']);
  // It was opened after the span.
  expect((await factsOf(cast, at('19:00')))[0]).toMatchObject({
    ...{ isBack: true, endedAt: at('03:06'), fixes: [{ isBack: true }] },
  });
});

it('[INC-3.2] counts an alert of the next day against a fix, by service or within the incident', async () => {
  const cast = await makeCast();
  const incidentId = await write(cast, PROVEN);
  const fire = (clock: string, serviceName: string | null, changes = {}, day = 25) =>
    inTransaction(cast.alice, async (db) => {
      const { organizationId } = cast.alice;
      const shared = { organizationId, projectId: cast.projectId };
      const source = await db.signalSource.create({
        data: {
          ...shared,
          ...{ kind: 'generic', name: 'Alerts', tokenHash: uuidv7(), tokenHint: 'x' },
          ...{ mapping: {}, staleSeconds: 600, signingSecretsSealed: [] },
        },
      });
      const { id } = await db.signal.create({
        data: {
          ...{ ...shared, sourceId: source.id, fingerprint: uuidv7(), startsAt: clock },
          ...{ startedAt: at(clock, day), firstSeenAt: at(clock, day), lastSeenAt: NOW },
          ...{ status: 'firing', kind: 'problem', severity: 'critical', title: 'Slow' },
          ...{ labels: {}, annotations: {} },
          serviceId: serviceName
            ? (await db.service.findFirstOrThrow({ where: { name: serviceName } })).id
            : null,
          ...changes,
        },
      });
      await db.incidentSignal.create({ data: { organizationId, incidentId, signalId: id } });
      return id;
    });
  // Before the recovery, another service, no fault, and more than a day later.
  await fire('03:05', 'web');
  await fire('08:00', 'db');
  await fire('08:00', 'web', { severity: 'info' });
  await fire('08:00', 'web', { kind: 'signal_lost' });
  await fire('03:07', 'web', {}, 26);
  expect(await verdictsOf(cast)).toEqual(['proven']);
  const byService = await fire('08:00', 'web');
  expect(await verdictsOf(cast)).toEqual(['recurred']);
  const { backServiceIds } = (await factsOf(cast))[0] ?? {};
  expect(backServiceIds).toHaveLength(1);
  await inTransaction(cast.alice, (db) => db.signal.deleteMany({ where: { id: byService } }));
  expect(await verdictsOf(cast)).toEqual(['proven']);
  await fire('08:00', null);
  expect(await verdictsOf(cast)).toEqual(['recurred']);
  expect((await factsOf(cast))[0]).toMatchObject({ isBack: true, backServiceIds: [] });
});

it('[INC-3.2] reads the first acknowledgement and the first end, and what a removal ended', async () => {
  const cast = await makeCast();
  await write(cast, [
    ...[fails('03:02'), plain('acknowledged', '03:04'), well('03:06'), plain('verified', '03:16')],
    ...[fails('05:00'), plain('acknowledged', '05:04'), plain('resolved', '05:16')],
  ]);
  expect((await factsOf(cast))[0]).toMatchObject({
    ...{ acknowledgedAt: at('03:04'), endedAt: at('03:06'), isWellByRemoval: false },
  });
  const removed = at('09:00');
  const id = await write(
    cast,
    [fails('08:00'), fails('08:00', '08:00', 'db'), well('08:30'), plain('verified', '09:10')],
    {
      ...{ number: 2, services: ['web', 'db'] },
      columns: { verifyingSince: removed, resolution: 'recovered', fixChainId: null },
    },
  );
  await inTransaction(cast.alice, (db) =>
    db.incidentService.updateMany({
      where: { incidentId: id, name: 'db' },
      data: { removedAt: removed },
    }),
  );
  expect((await factsOf(cast))[0]).toMatchObject({ isWellByRemoval: true });
  const figures = await getIncidentFiguresDto(
    cast.alice,
    { from: FROM.toISOString(), to: NOW.toISOString() },
    NOW,
  );
  expect(figures).toMatchObject({
    ...{ incidents: 2, acknowledged: 1, timeToFix: null, leftOut: { wellByRemoval: 1 } },
  });
});

it('[INC-3.2] another organization’s incidents aren’t read', async () => {
  const cast = await makeCast();
  await write(cast, PROVEN);
  expect(await factsOf(await makeCast())).toEqual([]);
});

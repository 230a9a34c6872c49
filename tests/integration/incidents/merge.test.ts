/** Two incidents of the same outage become one, on pages, in messages and in the figures. */
import { beforeEach, describe, expect, it } from 'vitest';
import { acknowledgeIncident, resolveIncident } from '@/lib/incidents/manage-incidents';
import { mergeIncident } from '@/lib/incidents/merge-incident';
import { recordServiceChanges } from '@/lib/incidents/record-services';
import { advanceIncidents } from '@/lib/incidents/sweep';
import { getIncidentFiguresDto } from '@/lib/insight/incident-figures/get-incident-figures';
import { getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { getIncidentPaging } from '@/lib/paging/read-paging';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { createProject } from '@/lib/projects/manage-project';
import { testConfig } from '@/tests/support/cast/organization';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { refusalOf } from '../engine/support/running';
import { startPaging } from './support/paging';
import { expectRebuilt } from './support/rebuilding';
import { signal, signalSource, timelineOf } from './support/signals';
import { continueWatch, startWatch, type Watch } from './support/watching';

useTestDatabase();

const NEVER = { checkChange: false, alert: false };
const APART = { verifySeconds: 600, reopenSeconds: 3_600, groupSeconds: 0 };
const BOTH = { web: 'down', db: 'down' } as const;

/** web has been down since 00:02, and db since 00:04: two incidents. */
async function twoOutages(changes: Parameters<typeof startWatch>[0] = {}): Promise<Watch> {
  const { watch } = await continueWatch(`two outages ${JSON.stringify(changes)}`, async () => {
    const watch = await startWatch({ startOn: NEVER, incidents: APART, ...changes });
    await watch.minute();
    await watch.minutes(2, { web: 'down' });
    await watch.minutes(2, BOTH);
    return { watch };
  });
  expect(await watch.incidents()).toMatchObject([{ number: 1 }, { number: 2 }]);
  return watch;
}

async function idOf(watch: Watch, number: number): Promise<string> {
  const incidents = await watch.incidents();
  return encodeId('inc', incidents.find((each) => each.number === number)?.id ?? '');
}

async function merge(watch: Watch, from: number, into: number, note = ''): Promise<void> {
  const target = await idOf(watch, into);
  const input = { into: target, note };
  return mergeIncident(watch.cast.alice, await idOf(watch, from), input, watch.now());
}

const detail = ({ cast }: Watch, number: number) =>
  getIncidentByNumber(cast.alice, cast.projectSlug, number);

/** An incident of another project of the same organization. */
async function otherProject({ cast: { alice }, now }: Watch): Promise<string> {
  const input = { name: 'Billing', slug: 'billing', config: testConfig() };
  const { projectId } = await createProject(alice, input, now());
  return inTransaction(alice, async (db) => {
    const { id: serviceId, name } = await db.service.findFirstOrThrow({ where: { projectId } });
    const change = { before: 'healthy', status: 'down', failingSince: now(), error: '' } as const;
    await recordServiceChanges(db, alice, projectId, [{ serviceId, name, ...change }], now());
    const incident = await db.incident.findFirstOrThrow({ where: { projectId } });
    return encodeId('inc', incident.id);
  });
}

describe('[INC-2.1] a merge', () => {
  let watch: Watch;
  beforeEach(async () => {
    watch = await twoOutages();
  });

  it('gives the services to the other incident, and both timelines say who did it and why', async () => {
    await merge(watch, 1, 2, 'Same switch.');
    const { alice } = watch.cast;
    expect(await watch.incidents()).toMatchObject([
      { state: 'resolved', resolution: 'merged', resolvedBy: alice.actor.label },
      {
        state: 'open',
        startedAt: new Date('2026-11-26T00:02:00Z'),
        services: [{ name: 'web' }, { name: 'db' }],
      },
    ]);
    expect((await timelineOf(watch, 1)).at(-1)).toBe(
      `${alice.actor.label} merged it into Incident #2. Same switch.`,
    );
    expect((await timelineOf(watch, 2)).at(-1)).toBe(
      `${alice.actor.label} merged Incident #1 into it. Same switch.`,
    );
    const [one, two] = [await detail(watch, 1), await detail(watch, 2)];
    expect(one).toMatchObject({ mergedInto: { id: two.id, number: 2 }, mergedFrom: [] });
    expect(two).toMatchObject({ mergedInto: null, mergedFrom: [{ id: one.id, number: 1 }] });
    expect(one.summary).toBe(
      `${alice.actor.label} merged it into Incident #2: it is the same outage.`,
    );
    await expectRebuilt(watch);
  });

  it('sends no message that the outage is over, and one once it really is', async () => {
    const before = await watch.messages();
    await merge(watch, 2, 1);
    await watch.minutes(3, BOTH);
    expect(await watch.messages()).toEqual(before);
    await watch.minutes(3, { db: 'down' });
    expect(await watch.incidents()).toMatchObject([{ state: 'open' }, { state: 'resolved' }]);
    await watch.minutes(13);
    expect((await watch.messages()).slice(before.length)).toEqual([
      'Checkout: web and db, Incident #1 is resolved',
    ]);
    expect(await watch.incidents()).toMatchObject([
      { resolution: 'recovered' },
      { resolution: 'merged' },
    ]);
    await expectRebuilt(watch);
  });

  it('leads later failures of its service to the other incident, resolved or not', async () => {
    await merge(watch, 2, 1);
    await watch.minutes(3, { web: 'down' });
    await watch.minutes(2, BOTH);
    await watch.minutes(14);
    expect(await watch.incidents()).toMatchObject([
      { state: 'resolved', services: [{ name: 'web' }, { name: 'db', relapses: 1 }] },
      { resolution: 'merged' },
    ]);
    await watch.minutes(2, { db: 'down' });
    expect(await watch.incidents()).toMatchObject([
      { state: 'open', reopenings: 1 },
      { resolution: 'merged' },
    ]);
  });

  it('changes nothing the second time', async () => {
    await merge(watch, 2, 1);
    const after = await watch.incidents();
    await merge(watch, 2, 1);
    expect(await watch.incidents()).toEqual(after);
    const rows = await inTransaction(watch.cast.alice, (db) =>
      db.auditLog.findMany({ where: { action: 'incident.merged' } }),
    );
    expect(rows).toMatchObject([{ detail: { number: 2, into: 1, note: '' } }]);
  });

  it.each<[string, (of: Watch) => Promise<void>, string]>([
    ['itself', (of) => merge(of, 1, 1), 'can’t be merged into itself'],
    [
      'one that is resolved',
      async (of) => {
        await resolveIncident(of.cast.alice, await idOf(of, 1), { note: '' }, of.now());
        return merge(of, 2, 1);
      },
      'Incident #1 is resolved, so nothing can be merged into it.',
    ],
    [
      'another one after it was resolved',
      async (of) => {
        await resolveIncident(of.cast.alice, await idOf(of, 1), { note: '' }, of.now());
        return merge(of, 1, 2);
      },
      'Incident #1 is resolved, so there is nothing to merge.',
    ],
    [
      'one that was merged into it',
      async (of) => {
        await merge(of, 1, 2);
        return merge(of, 2, 1);
      },
      'Incident #1 has been merged into Incident #2 meanwhile.',
    ],
    [
      'an unknown one',
      async (of) => {
        const into = encodeId('inc', '00000000-0000-7000-8000-000000000000');
        return mergeIncident(of.cast.alice, await idOf(of, 1), { into, note: '' }, of.now());
      },
      'There is nothing here.',
    ],
  ])('is refused into %s', async (_, attempt, message) => {
    await expect(attempt(watch)).rejects.toThrow(message);
  });

  it('is refused across projects, for viewers, and of other organizations', async () => {
    const { alice } = watch.cast;
    const [one, two] = [await idOf(watch, 1), await idOf(watch, 2)];
    const into = await otherProject(watch);
    const before = await watch.incidents();
    await expect(mergeIncident(alice, one, { into, note: '' })).rejects.toThrow(
      'The two incidents belong to different projects.',
    );
    const stranger = (await startWatch()).cast.alice;
    const foreign = mergeIncident(stranger, one, { into: two, note: '' });
    expect(await refusalOf(foreign)).toBe('not_found');
    const viewer = { ...alice, role: 'viewer' as const };
    const reading = mergeIncident(viewer, one, { into: two, note: '' });
    expect(await refusalOf(reading)).toBe('forbidden');
    expect(await watch.incidents()).toEqual(before);
  });

  it('both ways at once leaves one that continues', async () => {
    const outcomes = await Promise.all([
      refusalOf(merge(watch, 1, 2)),
      refusalOf(merge(watch, 2, 1)),
    ]);
    expect(outcomes.toSorted()).toEqual(['conflict', 'none']);
    const states = (await watch.incidents()).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['open', 'resolved']);
    await expectRebuilt(watch);
  });

  it('during the verification brings the incident back, and proves it only once all is well', async () => {
    await watch.minutes(3, { db: 'down' });
    expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }, { state: 'open' }]);
    await merge(watch, 2, 1);
    expect(await watch.incidents()).toMatchObject([{ state: 'open', verifyingSince: null }, {}]);
    await watch.minutes(15, { db: 'down' });
    expect(await watch.incidents()).toMatchObject([{ state: 'open' }, {}]);
    await watch.minutes(13);
    expect(await watch.incidents()).toMatchObject([{ resolution: 'recovered' }, {}]);
    await expectRebuilt(watch);
  });

  it('takes the acknowledgement along, which then holds agents back for all of its services', async () => {
    const { alice } = watch.cast;
    await acknowledgeIncident(alice, await idOf(watch, 2), { note: '' }, watch.now());
    await merge(watch, 2, 1);
    expect(await detail(watch, 1)).toMatchObject({
      state: 'acknowledged',
      acknowledgedBy: alice.actor.label,
    });
    const holds = await inTransaction(alice, (db) => db.serviceHold.findMany());
    expect(holds).toMatchObject([{ incidentNumber: 1 }, { incidentNumber: 1 }]);
    await expectRebuilt(watch);
  });

  it('counts once in the figures, as noticed first and with what both did, and not as a fix', async () => {
    await acknowledgeIncident(watch.cast.alice, await idOf(watch, 1), { note: '' }, watch.now());
    await merge(watch, 1, 2);
    await watch.minutes(15);
    const span = { from: '2026-11-26T00:00:00Z', to: '2026-11-27T00:00:00Z' };
    const figures = await getIncidentFiguresDto(watch.cast.alice, span, watch.now());
    expect(figures).toMatchObject({
      ...{ incidents: 1, unresolved: 0, resolvedByPerson: 0, acknowledged: 1 },
      timeToDetect: { incidents: 1, p50Seconds: 60 },
      timeToAcknowledge: { incidents: 1, p50Seconds: 180 },
      timeToFix: { incidents: 1 },
      fixes: { reported: 0 },
      recurrence: { ended: 1, recurred: 0 },
    });
  });
});

it('[INC-2.1] the chain of the incident that ends continues for the other one', async () => {
  const watch = await twoOutages({ startOn: { checkChange: true, alert: false } });
  await merge(watch, 1, 2);
  await watch.playChain({ report: wantsHelp() });
  expect(await detail(watch, 2)).toMatchObject({
    chains: [{ number: 1, outcome: 'needs_human' }],
    needsHumanSince: watch.now().toISOString(),
  });
  expect((await detail(watch, 1)).timeline.at(-1)?.kind).toBe('merged');
  await expectRebuilt(watch);
});

it('[INC-1.3] alerts go along, so their end and the text that taints belong to the other incident', async () => {
  const watch = await startWatch({ startOn: NEVER, incidents: APART });
  const alerting = await signalSource(watch);
  await watch.minute();
  await watch.minutes(3, { db: 'down' });
  await alerting.send(signal(watch));
  await merge(watch, 2, 1);
  const links = () =>
    inTransaction(watch.cast.alice, (db) =>
      db.incidentSignal.findMany({ select: { incident: { select: { number: true } } } }),
    );
  expect(await links()).toEqual([{ incident: { number: 1 } }]);
  const before = (await watch.incidents())[1];
  await watch.minutes(3);
  // The alert still fires.
  expect(await watch.incidents()).toMatchObject([{ state: 'open' }, { resolution: 'merged' }]);
  await alerting.send(signal(watch, { status: 'resolved' }));
  await watch.minutes(2);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }, {}]);
  expect((await watch.incidents())[1]).toEqual(before);
  await expectRebuilt(watch);
});

it('[INC-2.1] an incident that took over another one is merged itself, with everything of both', async () => {
  const watch = await twoOutages();
  const alerting = await signalSource(watch);
  await watch.minutes(1, BOTH);
  const other = signal(watch, { service: 'unrelated' });
  await alerting.send(other);
  await merge(watch, 1, 2, 'Same switch.');
  await merge(watch, 2, 3, 'And the same power supply.');
  expect(await watch.incidents()).toMatchObject([
    { number: 1, resolution: 'merged' },
    { number: 2, resolution: 'merged' },
    {
      ...{ number: 3, state: 'open', startedAt: new Date('2026-11-26T00:02:00Z') },
      services: [{ name: 'web' }, { name: 'db' }],
    },
  ]);
  const [one, two, three] = [
    await detail(watch, 1),
    await detail(watch, 2),
    await detail(watch, 3),
  ];
  expect(one).toMatchObject({ mergedInto: { number: 2 }, mergedFrom: [] });
  expect(two).toMatchObject({ mergedInto: { number: 3 }, mergedFrom: [{ number: 1 }] });
  expect(three).toMatchObject({ mergedInto: null, mergedFrom: [{ number: 2 }] });
  const before = await watch.messages();
  await watch.minutes(15);
  expect((await watch.incidents())[2]).toMatchObject({ state: 'open' });
  await alerting.send({ ...other, status: 'resolved' });
  await watch.minutes(12);
  expect((await watch.incidents())[2]).toMatchObject({
    ...{ state: 'resolved', resolution: 'recovered' },
  });
  expect((await watch.messages()).slice(before.length)).toEqual([
    'Checkout: web and db, Incident #3 is resolved',
  ]);
  const span = { from: '2026-11-26T00:00:00Z', to: '2026-11-27T00:00:00Z' };
  const figures = await getIncidentFiguresDto(watch.cast.alice, span, watch.now());
  expect(figures).toMatchObject({ incidents: 1, unresolved: 0 });
  await expectRebuilt(watch);
});

it('[INC-2.2] nothing was announced of an incident that is expected, so its merge announces what is left', async () => {
  const watch = await startWatch({ startOn: NEVER, incidents: APART });
  await inTransaction(watch.cast.alice, (db) =>
    db.service.updateMany({
      where: { name: 'web' },
      data: { snoozedUntil: new Date(watch.now().getTime() + 3_600_000) },
    }),
  );
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  await watch.minutes(2, BOTH);
  const before = await watch.messages();
  await merge(watch, 2, 1);
  await advanceIncidents(watch.now());
  expect((await watch.messages()).slice(before.length)).toEqual([
    'Checkout: web and db, Incident #1 opened',
    'Checkout: web and db, Incident #1 needs a human',
  ]);
});

it('[INC-2.2] paging continues where the further one was, and notifies nobody again', async () => {
  const of = await startPaging({ incidents: APART });
  await of.setPolicy();
  await of.pass(1);
  await of.pass(2, { web: 'down' });
  await of.pass(6, { web: 'down' });
  await of.pass(2, BOTH);
  expect(await of.steps()).toEqual(['00:08 Slack: step 1 of 2']);
  await merge(of, 1, 2);
  await of.pass(6, BOTH);
  expect(await of.steps()).toEqual(['00:08 Slack: step 1 of 2']);
  await of.pass(1, BOTH);
  expect((await of.steps()).slice(1)).toEqual([
    '00:18 Ana: step 2 of 2',
    '00:18 Slack: step 2 of 2',
  ]);
  const { alice } = of.cast;
  expect(await getIncidentPaging(alice, await idOf(of, 1))).toMatchObject({ isOver: true });
});

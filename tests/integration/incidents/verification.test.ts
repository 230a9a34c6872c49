/** Verifications without proof and without success, and who learns of them. */
import { expect, it } from 'vitest';
import { resolveIncident } from '@/lib/incidents/manage-incidents';
import { getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { useTestDatabase } from '@/tests/support/database';
import { addPager } from './support/paging';
import { expectRebuilt } from './support/rebuilding';
import { signal, signalSource, timelineOf } from './support/signals';
import { continueWatch, startWatch, type Watch } from './support/watching';

useTestDatabase();

const UNPROVEN =
  'Its alerts have ended. Nothing proves the recovery: the http check of web gives no result.';

/** A channel that is notified of verifications, and not of what needs a human. */
const addFollower = (watch: Watch, name = 'Follower') =>
  addPager(watch, name, { eventTypes: ['incident.verifying'] });

/** What was sent to a channel: its titles, and the first lines below them. */
async function sentTo({ cast }: Watch, name: string): Promise<{ title: string; line: string }[]> {
  const rows = await inTransaction(cast.alice, (db) =>
    db.webhookDelivery.findMany({ where: { channel: { name } }, orderBy: { id: 'asc' } }),
  );
  return rows.map(({ body }) => {
    const { title, lines } = JSON.parse(body);
    return { title: title.replace(/^.*Incident #\d+ /, ''), line: lines[0] };
  });
}

const titlesTo = async (watch: Watch, name: string) =>
  (await sentTo(watch, name)).map(({ title }) => title);

/** An alert about web has ended, and the check of web has no results from then on. */
async function unprovenEnd(): Promise<Watch> {
  const { watch } = await continueWatch('unproven end', async () => ({
    watch: await endUnproven(),
  }));
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  return watch;
}

async function endUnproven(): Promise<Watch> {
  const watch = await startWatch({ startOn: { checkChange: false, alert: false } });
  await addFollower(watch);
  await addPager(watch, 'Both', { eventTypes: ['incident.verifying'], outcomes: ['needs_human'] });
  await watch.minutes(3);
  const source = await signalSource(watch);
  const firing = signal(watch);
  await source.send(firing);
  await watch.minutes(2);
  await source.send({ ...firing, status: 'resolved' });
  await watch.minutes(1, { web: 'unknown' });
  return watch;
}

it('[INC-3.1] a verification that no check proves needs a human, who learns which check it is', async () => {
  const watch = await unprovenEnd();
  await watch.minutes(27, { web: 'unknown' });
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  await watch.minutes(20, { web: 'unknown' });
  expect(await watch.incidents()).toMatchObject([{ state: 'open', resolvedAt: null }]);
  expect((await sentTo(watch, 'Both')).slice(2)).toEqual([
    { title: 'is being verified', line: expect.any(String) },
    { title: 'needs a human', line: `${UNPROVEN} It needs a human.` },
  ]);
  expect(await titlesTo(watch, 'Pager')).toEqual(['opened', 'needs a human']);
  expect(await sentTo(watch, 'Follower')).toMatchObject([
    { title: 'is being verified' },
    { title: 'failed its verification', line: UNPROVEN },
  ]);
  const { summary } = await getIncidentByNumber(watch.cast.alice, watch.cast.projectSlug, 1);
  expect(summary).toBe(UNPROVEN);
  expect((await timelineOf(watch)).at(-1)).toBe(
    'The verification took too long, so it needs a human. Nothing proves the recovery: the http check of web gives no result.',
  );
  await expectRebuilt(watch);
});

it('[INC-3.1] once its checks pass, it is verified again, and only then resolved', async () => {
  const watch = await unprovenEnd();
  await watch.minutes(40, { web: 'unknown' });
  await watch.minutes(4);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying', needsHumanSince: null }]);
  await watch.minutes(12);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'recovered' }]);
  await expectRebuilt(watch);
});

it('[INC-2.1] the next outage reopens an incident without proof, and people are notified', async () => {
  const watch = await unprovenEnd();
  await watch.minutes(40, { web: 'unknown' });
  const before = await titlesTo(watch, 'Pager');
  await watch.minutes(2, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([
    { state: 'open', reopenings: 1, services: [{ name: 'web', status: 'down' }] },
  ]);
  expect((await titlesTo(watch, 'Pager')).slice(before.length)).toEqual([
    'was reopened',
    'needs a human',
  ]);
  await expectRebuilt(watch);
});

it('[INC-3.1] an incident whose check is degraded all the time is open again after its verification', async () => {
  const watch = await startWatch({ startOn: { checkChange: false, alert: false } });
  await addFollower(watch);
  await watch.minutes(3, { web: 'degraded' });
  const [ended] = await watch.incidents();
  const id = encodeId('inc', ended?.id ?? '');
  await resolveIncident(watch.cast.alice, id, { note: 'Known.' }, watch.now());
  await watch.minutes(61, { web: 'degraded' });
  const source = await signalSource(watch);
  const firing = signal(watch);
  await source.send(firing);
  await source.send({ ...firing, status: 'resolved' });
  expect((await watch.incidents())[1]).toMatchObject({ state: 'verifying', services: [] });
  await watch.minutes(11, { web: 'degraded' });
  expect((await watch.incidents())[1]).toMatchObject({
    ...{ state: 'open', resolvedAt: null },
    services: [{ name: 'web', status: 'degraded', relapses: 1 }],
  });
  expect(await titlesTo(watch, 'Follower')).toEqual([
    'is being verified',
    'failed its verification',
  ]);
  await watch.minutes(15);
  expect((await watch.incidents())[1]).toMatchObject({ state: 'resolved' });
  await expectRebuilt(watch);
});

it('[INC-2.2] whoever was notified of a verification learns of each relapse, once', async () => {
  const watch = await startWatch({ startOn: { checkChange: false, alert: false } });
  await addFollower(watch);
  await addPager(watch, 'Both', { eventTypes: ['incident.verifying'], outcomes: ['needs_human'] });
  await watch.minute();
  for (let relapse = 0; relapse < 4; relapse += 1) {
    await watch.minutes(2, { web: 'down' });
    await watch.minutes(3);
  }
  const cycle = ['is being verified', 'failed its verification'];
  expect(await titlesTo(watch, 'Follower')).toEqual([...cycle, ...cycle, ...cycle, cycle[0]]);
  // Without a chain people are needed from the start, and again after the recovery.
  expect((await titlesTo(watch, 'Both')).slice(2)).toEqual([
    ...['is being verified', 'failed its verification', 'needs a human'],
    ...['is being verified', 'needs a human'],
    ...['is being verified', 'failed its verification'],
    'is being verified',
  ]);
  // Who isn't notified of verifications knows since the first time that it needs a human.
  expect(await titlesTo(watch, 'Pager')).toEqual(['opened', 'needs a human']);
  await expectRebuilt(watch);
});

/** People aren't notified of anything from 00:05 to 00:20. */
const WINDOW = {
  name: 'Upgrade',
  effect: 'observe_only',
  timeZone: 'UTC',
  when: { kind: 'once', startsAt: '2026-11-26T00:05', endsAt: '2026-11-26T00:20' },
} as const;

it('[INC-2.2] a maintenance window mutes that a human is needed, and whoever still is learns it after it', async () => {
  const watch = await startWatch({ maintenance: [WINDOW] });
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  await watch.minutes(3, { web: 'down' });
  await watch.playChain({});
  await watch.minutes(12, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ needsHumanSince: expect.any(Date) }]);
  expect(await titlesTo(watch, 'Pager')).toEqual(['opened']);
  await watch.minutes(8, { web: 'down' });
  expect(await titlesTo(watch, 'Pager')).toEqual(['opened', 'needs a human']);
  await expectRebuilt(watch);
});

it('[INC-2.2] what a maintenance window muted is kept until it closes, and told once then', async () => {
  const watch = await startWatch({ maintenance: [WINDOW] });
  await watch.minutes(3, { web: 'down' });
  await watch.playChain({});
  await watch.minutes(14, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ heldNotices: ['needs_human'] }]);
  expect(await titlesTo(watch, 'Pager')).toEqual(['opened']);
  await watch.minutes(3, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ heldNotices: [] }]);
  await watch.minutes(5, { web: 'down' });
  expect(await titlesTo(watch, 'Pager')).toEqual(['opened', 'needs a human']);
});

it('[INC-2.2] nobody learns of a need or a relapse that a snooze muted and that is over by then', async () => {
  const watch = await startWatch();
  await addFollower(watch);
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  await watch.playChain({});
  await watch.minutes(3);
  const snoozedUntil = new Date(watch.now().getTime() + 30 * 60_000);
  await inTransaction(watch.cast.alice, (db) =>
    db.service.updateMany({ where: { name: 'web' }, data: { snoozedUntil } }),
  );
  await watch.minutes(5, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([
    { state: 'open', heldNotices: ['verification_failed'] },
  ]);
  await watch.minutes(40);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', heldNotices: [] }]);
  expect(await titlesTo(watch, 'Pager')).toEqual(['opened', 'is resolved']);
  expect(await titlesTo(watch, 'Follower')).toEqual(['is being verified']);
});

/** Services, sources, runners, clocks and receivers that misbehave, on a clock that the test moves. */
import { beforeAll, expect, it } from 'vitest';
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import { resolveIncident } from '@/lib/incidents/manage-incidents';
import { getPostMortem } from '@/lib/insight/incidents/get-post-mortem';
import { getIncidentByNumber, listIncidents } from '@/lib/insight/incidents/list-incidents';
import { expireResults, watchBlocks } from '@/lib/monitoring/sweep';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { recordPresence } from '@/tests/support/presence';
import { startWebhookReceiver } from '@/tests/support/webhook-receiver/receiver';
import { pruneRows } from '@/workers/maintenance';
import { bodyOf, settingsOf } from '../notifications/native-targets';
import { addChat } from './support/paging';
import { expectRebuilt } from './support/rebuilding';
import { signal, signalSource, timelineOf } from './support/signals';
import { startWatch, type Watch } from './support/watching';

useTestDatabase();
beforeAll(() => {
  process.env.TIERWATCH_ALLOW_PRIVATE_TARGETS = 'true';
});

const OPENED = 'Checkout: web, Incident #1 opened';
const NEEDS_HUMAN = 'Checkout: web, Incident #1 needs a human';
const RESOLVED = 'Checkout: web, Incident #1 is resolved';

async function incidentId({ cast }: Watch): Promise<string> {
  const { data } = await listIncidents(cast.alice, { limit: 1 });
  return data[0]?.id ?? '';
}

/** A chain that waits for a runner looks, and can't help. */
async function playDueChain(watch: Watch): Promise<void> {
  const chains = await watch.chains();
  if (chains.at(-1)?.outcome === null) await watch.playChain({ report: wantsHelp() });
}

it('[INC-1.1] [INC-2.2] a service that flaps every second is one outage with one chain and two messages', async () => {
  const watch = await startWatch();
  await watch.minutes(2);
  for (let second = 0; second < 48; second += 1) {
    await watch.after(1_000, second % 2 === 0 ? { web: 'down' } : {});
    await playDueChain(watch);
  }
  expect(await watch.incidents()).toMatchObject([{ number: 1, state: 'open', reopenings: 0 }]);
  expect(await watch.chains()).toHaveLength(1);
  expect(await watch.messages()).toEqual([OPENED, NEEDS_HUMAN]);
  expect(await timelineOf(watch)).toHaveLength(3);
  await expectRebuilt(watch);
});

it('[INC-2.2] [INC-3.1] a service that recovers and fails every five minutes is one outage until it stays healthy', async () => {
  const watch = await startWatch();
  await watch.minutes(2);
  for (let round = 0; round < 14; round += 1) {
    await watch.minutes(2, { web: 'down' });
    await playDueChain(watch);
    await watch.minutes(3);
    expect(await watch.incidents()).toMatchObject([{ number: 1, resolvedAt: null }]);
  }
  expect((await watch.chains()).length).toBeLessThanOrEqual(2);
  const during = await watch.messages();
  expect(during[0]).toBe(OPENED);
  expect(during).not.toContain(RESOLVED);
  expect(during.length).toBeLessThanOrEqual(5);
  await watch.minutes(10);
  expect(await watch.messages()).toEqual([...during, RESOLVED]);
  await expectRebuilt(watch);
});

it('[INC-1.3] [INC-2.2] an alert that flaps every second is one incident with two chains and few messages', async () => {
  const watch = await startWatch({
    monitoring: { everySeconds: null, failures: 2, lastResults: 3 },
  });
  const source = await signalSource(watch);
  for (let round = 0; round < 60; round += 1) {
    const firing = signal(watch);
    await watch.after(1_000);
    await source.send(firing);
    await playDueChain(watch);
    await watch.after(1_000);
    await source.send({ ...firing, status: 'resolved' });
  }
  expect(await watch.incidents()).toMatchObject([{ number: 1, reopenings: 0 }]);
  expect((await watch.chains()).length).toBeLessThanOrEqual(2);
  expect((await watch.messages()).length).toBeLessThanOrEqual(4);
  await expectRebuilt(watch);
});

it('[INC-2.1] [INC-3.3] an incident of 40 days stays open, complete and quiet until its checks pass', async () => {
  const watch = await startWatch();
  const { alice, projectSlug } = watch.cast;
  const source = await signalSource(watch);
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  const [opened] = await watch.incidents();
  await source.send(signal(watch));
  await playDueChain(watch);
  await inTransaction(alice, (db) =>
    db.webhookDelivery.updateMany({ data: { status: 'delivered', deliveredAt: watch.now() } }),
  );
  const timeline = await timelineOf(watch);
  for (let day = 0; day < 40; day += 1) {
    for (let time = 0; time < 2; time += 1) await watch.after(12 * 3_600_000, { web: 'down' });
    await source.sweep();
    await pruneRows(watch.now());
  }
  expect(await watch.incidents()).toMatchObject([
    { number: 1, state: 'open', startedAt: opened?.startedAt, needsHumanSince: expect.any(Date) },
  ]);
  expect(await watch.chains()).toHaveLength(1);
  expect((await timelineOf(watch)).slice(0, timeline.length)).toEqual(timeline);
  const { text } = await getPostMortem(alice, await incidentId(watch), watch.now());
  expect(text).toContain('- Not recovered: 40d 0h so far');
  for (const line of timeline) expect(text).toContain(line.split('.')[0]);
  const before = await watch.messages();
  await watch.minutes(12);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'recovered' }]);
  expect(await watch.messages()).toEqual([...before, RESOLVED]);
  const { summary } = await getIncidentByNumber(alice, projectSlug, 1);
  expect(summary).toMatch(/^web has been healthy since 2027-01-05 00:05 UTC, after 40 days\.$/);
  await expectRebuilt(watch);
});

/** What the worker does about checks, while the runner API has answered all the time. */
async function sweepChecks(now: Date): Promise<void> {
  for (let past = 120; past >= 0; past -= 10) {
    await recordPresence(new Date(now.getTime() - past * 1_000));
  }
  await expireResults(now);
  await watchBlocks(now);
}

/** Minutes in which the runner that runs the checks is down. */
async function runnerDown(watch: Watch, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    await watch.silence(1);
    await sweepChecks(watch.now());
  }
}

it('[INC-1.1] [INC-3.1] while the runner of the checks is down, nothing is an outage, healthy or proven', async () => {
  const watch = await startWatch();
  const { alice } = watch.cast;
  await createChannel(alice, {
    ...{ name: 'Checks', outcomes: [], eventTypes: ['checks.blocked', 'checks.resumed'] },
    projectId: null,
    settings: {
      ...{ kind: 'apprise', serverUrl: 'https://apprise.example', urls: ['slack://a/b'] },
      ...{ configKey: null, tags: null },
    },
  });
  const statuses = () =>
    inTransaction(alice, async (db) =>
      (await db.service.findMany({ orderBy: { name: 'asc' } })).map(({ status }) => status),
    );
  await watch.minutes(3);
  await runnerDown(watch, 30);
  expect(await statuses()).toEqual(['unknown', 'unknown']);
  expect([await watch.incidents(), await watch.chains()]).toEqual([[], []]);
  expect(await watch.messages()).toEqual(['Checkout: nothing is checked']);
  await watch.minutes(2);
  await sweepChecks(watch.now());
  await watch.minutes(2, { web: 'down' });
  await watch.playChain({});
  await watch.minutes(3);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  await runnerDown(watch, 30);
  expect(await watch.incidents()).toMatchObject([{ state: 'open', resolvedAt: null }]);
  await watch.minute();
  await sweepChecks(watch.now());
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  // The whole window counts from the first result after it.
  await watch.minutes(9);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  await watch.minute();
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'recovered' }]);
  const blocked = ['Checkout: nothing is checked', 'Checkout: checks run again'];
  expect((await watch.messages()).filter((title) => blocked.includes(title))).toEqual([
    ...blocked,
    ...blocked,
  ]);
  await expectRebuilt(watch);
});

it.each([-10, 0, 10])(
  '[INC-1.3] during a verification, a new alert of a source whose clock is %i minutes off isn’t lost',
  async (off) => {
    const watch = await startWatch();
    const theirs = () => new Date(watch.now().getTime() + off * 60_000).toISOString();
    const source = await signalSource(watch);
    await watch.minutes(2);
    await watch.minutes(2, { web: 'down' });
    await watch.playChain({});
    await watch.minutes(9);
    expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
    const firing = signal(watch, { id: 'queue', title: 'Queue', started_at: theirs() });
    await source.send(firing);
    expect(await watch.incidents()).toMatchObject([{ state: 'open' }]);
    // Another severity of the same alert is no other one.
    await watch.minutes(7);
    await source.send({ ...firing, severity: 'critical' });
    await watch.minutes(7);
    expect(await watch.incidents()).toMatchObject([{ number: 1, state: 'open' }]);
    expect(await watch.chains()).toHaveLength(2);
    await expectRebuilt(watch);
  },
);

it.each([-10, 10])(
  '[INC-1.3] an alert of a source whose clock is %i minutes off opens and ends an incident that never lies in the future',
  async (off) => {
    const watch = await startWatch();
    const theirs = () => new Date(watch.now().getTime() + off * 60_000).toISOString();
    const source = await signalSource(watch);
    await watch.minutes(2);
    const firing = signal(watch, { started_at: theirs() });
    await source.send(firing);
    const received = watch.now();
    const [incident] = await watch.incidents();
    expect(incident?.startedAt).toEqual(off < 0 ? new Date(firing.started_at) : received);
    await watch.minutes(2);
    await watch.playChain({});
    await source.send({ ...firing, status: 'resolved', ended_at: theirs() });
    expect(await watch.incidents()).toMatchObject([
      { state: 'verifying', verifyingSince: watch.now() },
    ]);
    await watch.minutes(10);
    expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'recovered' }]);
    expect(await watch.messages()).toEqual([OPENED, RESOLVED]);
    await expectRebuilt(watch);
  },
);

it.each(['slack', 'events'] as const)(
  '[INC-2.2] a receiver (%s) that answers after the incident has closed gets its end afterwards, once',
  async (target) => {
    const watch = await startWatch({ startOn: { checkChange: false, alert: false } });
    const receiver = await startWebhookReceiver();
    let answer = () => {};
    const after = new Promise<void>((resolve) => {
      answer = resolve;
    });
    receiver.answerWith({ kind: 'late', after });
    try {
      const chat = await addChat(watch, receiver, { settings: settingsOf(target, receiver) });
      await watch.minute();
      await watch.minutes(2, { web: 'down' });
      const sending = chat.send();
      await receiver.waitForRequests(1);
      await resolveIncident(watch.cast.alice, await incidentId(watch), { note: '' }, watch.now());
      await chat.send();
      expect(receiver.received).toHaveLength(1);
      answer();
      await sending;
      await chat.send();
      const said = receiver.received.map((request) => {
        const body = bodyOf(request);
        return body.event_action ?? String(body.text).replace(/ \(.*\)$/, '');
      });
      expect(said.at(-1)).toBe(target === 'slack' ? RESOLVED : 'resolve');
      expect(new Set(said).size).toBe(said.length);
    } finally {
      answer();
      await receiver.close();
    }
  },
);

/** A silenced incident sends people nothing for a time; other systems and agents don't notice. */
import { expect, it } from 'vitest';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import {
  acknowledgeIncident,
  endIncidentSilence,
  resolveIncident,
  silenceIncident,
} from '@/lib/incidents/manage-incidents';
import { mergeIncident } from '@/lib/incidents/merge-incident';
import { getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { advancePaging } from '@/lib/paging/advance-paging';
import { getIncidentPaging } from '@/lib/paging/read-paging';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { refusalOf } from '../engine/support/running';
import { startPaging } from './support/paging';
import { expectRebuilt } from './support/rebuilding';
import { timelineOf } from './support/signals';
import { startWatch, type Watch } from './support/watching';

useTestDatabase();

const NEVER = { startOn: { checkChange: false, alert: false } };
const DOWN = { web: 'down' } as const;
const BOTH = { web: 'down', db: 'down' } as const;
const NEEDS_HUMAN = 'Checkout: web, Incident #1 needs a human';

/** web is down since 00:02, and an incident needs a human since 00:03. */
async function outage(changes: Parameters<typeof startWatch>[0] = NEVER): Promise<Watch> {
  const watch = await startWatch(changes);
  await watch.minute();
  await watch.minutes(2, DOWN);
  return watch;
}

async function idOf(watch: Watch, number = 1): Promise<string> {
  const incidents = await watch.incidents();
  return encodeId('inc', incidents.find((each) => each.number === number)?.id ?? '');
}

/** @param minutes null: until it is resolved */
async function silence(watch: Watch, minutes: number | null, number = 1): Promise<void> {
  const endsAt = minutes === null ? null : new Date(watch.now().getTime() + minutes * 60_000);
  const input = { note: 'Known.', endsAt };
  return silenceIncident(watch.cast.alice, await idOf(watch, number), input, watch.now());
}

/** What was written to people since. */
async function since(watch: Watch, before: readonly string[]): Promise<string[]> {
  return (await watch.messages()).slice(before.length);
}

const detail = ({ cast }: Watch) => getIncidentByNumber(cast.alice, cast.projectSlug, 1);

it('[INC-2.2] a silence expires, and people are notified once that they are still needed', async () => {
  const watch = await outage();
  await silence(watch, 5);
  const { alice } = watch.cast;
  expect(await detail(watch)).toMatchObject({
    ...{ state: 'open', silencedBy: alice.actor.label },
    silencedUntil: '2026-11-26T00:08:00.000Z',
  });
  const before = await watch.messages();
  await watch.minutes(4, DOWN);
  expect(await since(watch, before)).toEqual([]);
  await watch.minutes(5, DOWN);
  expect(await since(watch, before)).toEqual([NEEDS_HUMAN]);
  expect(await detail(watch)).toMatchObject({ silencedBy: null, silencedUntil: null });
  expect((await timelineOf(watch)).slice(2)).toEqual([
    `${alice.actor.label} silenced it until 2026-11-26 00:08 UTC. Known.`,
    'The silence ended.',
  ]);
  await expectRebuilt(watch);
});

it('[INC-2.2] a person ends a silence, and a repeat changes nothing', async () => {
  const watch = await outage();
  await silence(watch, null);
  const before = await watch.messages();
  const { alice } = watch.cast;
  await endIncidentSilence(alice, await idOf(watch), watch.now());
  await endIncidentSilence(alice, await idOf(watch), watch.now());
  expect(await since(watch, before)).toEqual([NEEDS_HUMAN]);
  expect((await timelineOf(watch)).slice(2)).toEqual([
    `${alice.actor.label} silenced it until it is resolved. Known.`,
    `${alice.actor.label} ended the silence.`,
  ]);
  const target = await idOf(watch);
  const rows = await inTransaction(alice, (db) =>
    db.auditLog.findMany({ orderBy: { seq: 'asc' }, where: { target } }),
  );
  expect(rows.map(({ action }) => action)).toEqual(['incident.silenced', 'incident.silence_ended']);
});

it('[INC-2.2] a relapse stays silent, and people get the end of what they were notified of', async () => {
  const watch = await outage();
  await silence(watch, null);
  const before = await watch.messages();
  for (let relapse = 0; relapse < 3; relapse += 1) {
    await watch.minutes(3);
    await watch.minutes(3, DOWN);
  }
  expect(await watch.incidents()).toMatchObject([{ state: 'open' }]);
  expect(await since(watch, before)).toEqual([]);
  await watch.minutes(14);
  expect(await since(watch, before)).toEqual(['Checkout: web, Incident #1 is resolved']);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', silencedBy: null }]);
  await expectRebuilt(watch);
});

it('[INC-2.2] a silenced incident whose opening nobody was notified of ends without a message', async () => {
  const watch = await startWatch(NEVER);
  const snoozedUntil = new Date(watch.now().getTime() + 4 * 60_000);
  await inTransaction(watch.cast.alice, (db) =>
    db.service.updateMany({ where: { name: 'web' }, data: { snoozedUntil } }),
  );
  await watch.minute();
  await watch.minutes(2, DOWN);
  await silence(watch, 30);
  await watch.minutes(10, DOWN);
  expect(await watch.messages()).toEqual([]);
  await watch.minutes(14);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', announcedAt: null }]);
  expect(await watch.messages()).toEqual([]);
});

it('[INC-2.2] an incident whose opening waited for the snooze and the silence is announced after both', async () => {
  const watch = await startWatch(NEVER);
  const snoozedUntil = new Date(watch.now().getTime() + 4 * 60_000);
  await inTransaction(watch.cast.alice, (db) =>
    db.service.updateMany({ where: { name: 'web' }, data: { snoozedUntil } }),
  );
  await watch.minute();
  await watch.minutes(2, DOWN);
  await silence(watch, 5);
  await watch.minutes(8, DOWN);
  expect(await watch.messages()).toEqual(['Checkout: web, Incident #1 opened', NEEDS_HUMAN]);
});

it('[INC-2.2] other incidents send their messages, and the agent works on the silenced one', async () => {
  const incidents = { verifySeconds: 600, reopenSeconds: 3_600, groupSeconds: 0 };
  const watch = await outage({ startOn: { checkChange: true, alert: false }, incidents });
  await silence(watch, null);
  const before = await watch.messages();
  await watch.playChain({ report: wantsHelp() });
  expect(await detail(watch)).toMatchObject({
    chains: [{ number: 1, outcome: 'needs_human' }],
    needsHumanSince: watch.now().toISOString(),
  });
  await watch.minutes(3, BOTH);
  expect(await since(watch, before)).toEqual(['Checkout: db, Incident #2 opened']);
  await watch.playChain({ report: wantsHelp() });
  expect((await since(watch, before)).slice(1)).toEqual([
    'Checkout: db, Incident #2 needs a human',
  ]);
});

it('[INC-2.2] webhooks still report what happens, with who silenced it and until when', async () => {
  const watch = await outage();
  const { alice } = watch.cast;
  await createEndpoint(alice, {
    ...{ url: 'https://hooks.acme.example/in', description: '', projectId: null },
    eventTypes: ['incident.acknowledged', 'incident.merged'],
  });
  await silence(watch, 60);
  await acknowledgeIncident(alice, await idOf(watch), { note: '' }, watch.now());
  const sent = await inTransaction(alice, (db) =>
    db.webhookDelivery.findMany({ where: { endpointId: { not: null } } }),
  );
  expect(sent.map(({ body }) => JSON.parse(body).data.incident)).toMatchObject([
    { silencedBy: alice.actor.label, silencedUntil: '2026-11-26T01:03:00.000Z' },
  ]);
});

it('[INC-2.2] steps of paging wait until the silence ends, and its time doesn’t count', async () => {
  const of = await startPaging();
  await of.setPolicy();
  await of.pass(1);
  await of.pass(2, DOWN);
  await of.pass(2, DOWN);
  await silence(of, 30);
  await advancePaging(of.now());
  await of.pass(29, DOWN);
  expect(await of.steps()).toEqual([]);
  expect(await getIncidentPaging(of.cast.alice, await idOf(of))).toMatchObject({
    next: { number: 1, at: null },
  });
  await of.pass(5, DOWN);
  expect(await of.steps()).toEqual(['00:38 Slack: step 1 of 2']);
});

it('[INC-2.2] the silence of the incident that continues stays after a merge, that of the other one ends', async () => {
  const incidents = { verifySeconds: 600, reopenSeconds: 3_600, groupSeconds: 0 };
  const watch = await outage({ ...NEVER, incidents });
  await watch.minutes(2, BOTH);
  await silence(watch, 60, 2);
  const into = await idOf(watch, 1);
  const from = await idOf(watch, 2);
  await mergeIncident(watch.cast.alice, from, { into, note: '' }, watch.now());
  expect(await watch.incidents()).toMatchObject([
    { state: 'open', silencedBy: null },
    { resolution: 'merged', silencedBy: null, silencedUntil: null },
  ]);
  await expectRebuilt(watch);
});

it('[INC-2.2] is refused for what is resolved, for viewers, and for other organizations', async () => {
  const watch = await outage();
  const { alice } = watch.cast;
  const id = await idOf(watch);
  const stranger = (await startWatch()).cast.alice;
  const viewer = { ...alice, role: 'viewer' as const };
  for (const act of [
    async (who: typeof alice) => silenceIncident(who, id, { note: '' }, watch.now()),
    async (who: typeof alice) => endIncidentSilence(who, id, watch.now()),
  ]) {
    expect(await refusalOf(act(stranger))).toBe('not_found');
    expect(await refusalOf(act(viewer))).toBe('forbidden');
  }
  await resolveIncident(alice, id, { note: '' }, watch.now());
  expect(await refusalOf(silenceIncident(alice, id, { note: '' }, watch.now()))).toBe('conflict');
  expect(await watch.incidents()).toMatchObject([{ silencedBy: null }]);
});

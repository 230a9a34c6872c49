/** What people do with incidents, on pages and by API, and what nobody may. */
import { expect, it } from 'vitest';
import { acknowledgeChain, endAcknowledgement } from '@/lib/engine/chains/acknowledge-chain';
import { listAudit } from '@/lib/identity/audit/read-audit';
import {
  acknowledgeIncident,
  endIncidentAcknowledgement,
  resolveIncident,
} from '@/lib/incidents/manage-incidents';
import { getIncidentByNumber, listIncidents } from '@/lib/insight/incidents/list-incidents';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { refusalOf } from '../engine/support/running';
import { startWatch, type Watch } from './support/watching';

useTestDatabase();

/** An incident of web for which no chain starts. */
async function outage(): Promise<Watch & { id: string }> {
  const watch = await startWatch({ startOn: { checkChange: false, alert: false } });
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  const { data } = await listIncidents(watch.cast.alice, { limit: 10 });
  return { ...watch, id: data[0]?.id ?? '' };
}

/** web is expected to fail for so many minutes. */
async function snooze({ cast, now }: Watch, minutes: number): Promise<void> {
  const snoozedUntil = new Date(now().getTime() + minutes * 60_000);
  await inTransaction(cast.alice, (db) =>
    db.service.updateMany({ where: { name: 'web' }, data: { snoozedUntil } }),
  );
}

const detail = ({ cast }: Watch) => getIncidentByNumber(cast.alice, cast.projectSlug, 1);
/** Of the incident's own events, without messages. */
const texts = async (watch: Watch) =>
  (await detail(watch)).timeline.flatMap(({ sequence, text }) => (sequence === null ? [] : text));

it('[INC-1.2] [INC-2.1] without a chain on changes people are needed at once, and the timeline says why', async () => {
  const watch = await outage();
  expect(await watch.chains()).toEqual([]);
  expect(await texts(watch)).toEqual([
    'web is down. Connection refused.',
    'No chain starts. The project’s settings start no chain when checks fail.',
  ]);
  expect(await watch.messages()).toEqual([
    'Checkout: web, Incident #1 opened',
    'Checkout: web, Incident #1 needs a human',
  ]);
});

it('[INC-2.1] an acknowledgement ends, and reminds once', async () => {
  const watch = await outage();
  const endsAt = new Date(watch.now().getTime() + 5 * 60_000);
  await acknowledgeIncident(watch.cast.alice, watch.id, { note: 'On it.', endsAt }, watch.now());
  expect(await detail(watch)).toMatchObject({ state: 'acknowledged' });
  const again = acknowledgeIncident(watch.cast.alice, watch.id, { note: '' }, watch.now());
  expect(await refusalOf(again)).toBe('conflict');
  await watch.minutes(4, { web: 'down' });
  expect(await detail(watch)).toMatchObject({ state: 'acknowledged' });
  await watch.minutes(5, { web: 'down' });
  expect(await detail(watch)).toMatchObject({ state: 'open', acknowledgedBy: null });
  expect((await watch.messages()).slice(2)).toEqual(['Checkout: web, Incident #1 needs a human']);
});

it('[INC-2.1] who takes an acknowledgement back isn’t reminded, and a repeat changes nothing', async () => {
  const watch = await outage();
  const { alice } = watch.cast;
  await acknowledgeIncident(alice, watch.id, { note: '' }, watch.now());
  await endIncidentAcknowledgement(alice, watch.id, watch.now());
  await endIncidentAcknowledgement(alice, watch.id, watch.now());
  expect((await texts(watch)).slice(2)).toEqual([
    `${alice.actor.label} acknowledged it.`,
    `${alice.actor.label} removed the acknowledgement.`,
  ]);
  expect(await watch.messages()).toHaveLength(2);
});

it('[INC-2.1] resolved by a person and opened again, it knows which services have recovered since', async () => {
  const watch = await startWatch({ startOn: { checkChange: false, alert: false } });
  await watch.minute();
  await watch.minutes(2, { web: 'down', db: 'down' });
  const { data } = await listIncidents(watch.cast.alice, { limit: 10 });
  await resolveIncident(watch.cast.alice, data[0]?.id ?? '', { note: '' }, watch.now());
  await watch.minutes(3);
  await watch.minutes(2, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ number: 1, state: 'open', reopenings: 1 }]);
  await watch.minutes(15);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'recovered' }]);
});

it('[INC-2.1] resolved by a person, it opens again only once its service has recovered and fails', async () => {
  const watch = await outage();
  await resolveIncident(watch.cast.alice, watch.id, { note: 'Planned.' }, watch.now());
  await watch.minutes(5, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'manual' }]);
  expect(await refusalOf(resolveIncident(watch.cast.alice, watch.id, { note: '' }))).toBe(
    'conflict',
  );
  await watch.minutes(3);
  await watch.minutes(2, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ state: 'open', reopenings: 1 }]);
});

it('[INC-2.1] every act is in the audit log', async () => {
  const watch = await outage();
  const { alice } = watch.cast;
  await acknowledgeIncident(alice, watch.id, { note: '' }, watch.now());
  await endIncidentAcknowledgement(alice, watch.id, watch.now());
  await resolveIncident(alice, watch.id, { note: '' }, watch.now());
  const rows = await inTransaction(alice, (db) =>
    db.auditLog.findMany({ orderBy: { seq: 'asc' }, where: { target: watch.id } }),
  );
  expect(rows.map(({ action }) => action)).toEqual([
    'incident.acknowledged',
    'incident.acknowledgement_ended',
    'incident.resolved',
  ]);
});

it('[INC-2.1] two who acknowledge at once leave one acknowledgement', async () => {
  const watch = await outage();
  const both = ['One.', 'Two.'].map((note) =>
    refusalOf(acknowledgeIncident(watch.cast.alice, watch.id, { note }, watch.now())),
  );
  expect((await Promise.all(both)).toSorted()).toEqual(['conflict', 'none']);
});

it('[INC-2.2] a snoozed service opens an incident that nobody is notified of, until the snooze ends', async () => {
  const watch = await startWatch({ startOn: { checkChange: false, alert: false } });
  await watch.minute();
  const until = new Date(watch.now().getTime() + 10 * 60_000);
  await inTransaction(watch.cast.alice, (db) =>
    db.service.updateMany({ where: { name: 'web' }, data: { snoozedUntil: until } }),
  );
  await watch.minutes(5, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ state: 'open' }]);
  expect(await watch.messages()).toEqual([]);
  await watch.minutes(6, { web: 'down' });
  expect(await watch.messages()).toEqual([
    'Checkout: web, Incident #1 opened',
    'Checkout: web, Incident #1 needs a human',
  ]);
});

it('[INC-2.2] a snoozed service starts no chain, and nobody learns of an outage that is over by then', async () => {
  const watch = await startWatch();
  await watch.minute();
  const until = new Date(watch.now().getTime() + 10 * 60_000);
  await inTransaction(watch.cast.alice, (db) =>
    db.service.updateMany({ where: { name: 'web' }, data: { snoozedUntil: until } }),
  );
  await watch.minutes(5, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ state: 'open' }]);
  await watch.minutes(20);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved' }]);
  expect(await watch.chains()).toEqual([]);
  expect(await watch.messages()).toEqual([]);
});

it('[INC-2.2] in a maintenance window nothing starts and nobody is notified, until it closes', async () => {
  const watch = await startWatch({
    maintenance: [
      {
        ...{ name: 'Upgrade', effect: 'no_cycles', timeZone: 'UTC' },
        when: { kind: 'once', startsAt: '2026-11-26T00:00', endsAt: '2026-11-26T00:10' },
      },
    ],
  });
  await watch.minute();
  await watch.minutes(8, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ state: 'open', needsHumanSince: null }]);
  expect(await watch.messages()).toEqual([]);
  await watch.minutes(2, { web: 'down' });
  expect(await watch.chains()).toEqual([{ trigger: 'check', outcome: null }]);
  expect(await watch.messages()).toEqual(['Checkout: web, Incident #1 opened']);
});

it('[INC-2.2] what needs a human while the failure is expected is announced with the opening', async () => {
  const watch = await startWatch({
    maintenance: [
      {
        ...{ name: 'Upgrade', effect: 'observe_only', timeZone: 'UTC' },
        when: { kind: 'once', startsAt: '2026-11-26T00:00', endsAt: '2026-11-26T00:10' },
      },
    ],
  });
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  await watch.playChain({});
  await watch.minutes(5, { web: 'down' });
  expect(await detail(watch)).toMatchObject({ needsHumanSince: expect.any(String) });
  expect(await watch.messages()).toEqual([]);
  await watch.minutes(2, { web: 'down' });
  expect(await watch.messages()).toEqual([
    'Checkout: web, Incident #1 opened',
    'Checkout: web, Incident #1 needs a human',
  ]);
});

it('[INC-2.2] a reopening that is expected is announced once it isn’t, and not when it is over', async () => {
  const watch = await startWatch({ startOn: { checkChange: false, alert: false } });
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  await watch.minutes(13);
  const before = await watch.messages();
  expect(before.at(-1)).toBe('Checkout: web, Incident #1 is resolved');
  await snooze(watch, 4);
  await watch.minutes(3, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ state: 'open', reopenings: 1 }]);
  expect(await watch.messages()).toEqual(before);
  await watch.minutes(3, { web: 'down' });
  const after = await watch.messages();
  expect(after.slice(before.length)).toEqual([
    'Checkout: web, Incident #1 opened',
    'Checkout: web, Incident #1 needs a human',
  ]);
  await watch.minutes(13);
  await snooze(watch, 30);
  const resolved = await watch.messages();
  await watch.minutes(3, { web: 'down' });
  await watch.minutes(13);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', reopenings: 2 }]);
  expect(await watch.messages()).toEqual(resolved);
});

it('[INC-2.2] who acknowledges a chain acknowledges its incident, and takes back both', async () => {
  const watch = await startWatch({ maxTier: 1 });
  const { alice } = watch.cast;
  await watch.minutes(2, { web: 'down' });
  await watch.playChain({ report: wantsHelp() });
  expect(await detail(watch)).toMatchObject({ needsHumanSince: expect.any(String) });
  const { id } = await inTransaction(alice, (db) => db.chain.findFirstOrThrow({}));
  const chainId = encodeId('chn', id);
  const endsAt = new Date(watch.now().getTime() + 60 * 60_000);
  const told = await watch.messages();
  await acknowledgeChain(alice, chainId, { note: 'On it.', endsAt }, watch.now());
  expect(await detail(watch)).toMatchObject({
    ...{ state: 'acknowledged', acknowledgedBy: alice.actor.label },
    acknowledgementEndsAt: endsAt.toISOString(),
  });
  await endAcknowledgement(alice, chainId, watch.now());
  expect(await detail(watch)).toMatchObject({ state: 'open', acknowledgedBy: null });
  expect((await texts(watch)).slice(-2)).toEqual([
    `${alice.actor.label} acknowledged it. On it.`,
    `${alice.actor.label} removed the acknowledgement.`,
  ]);

  // One that somebody has acknowledged for itself stays.
  await watch.minute({ web: 'down' });
  const incident = await detail(watch);
  await acknowledgeIncident(alice, incident.id, { note: '' }, watch.now());
  await watch.minute({ web: 'down' });
  await acknowledgeChain(alice, chainId, { note: '' }, watch.now());
  await endAcknowledgement(alice, chainId, watch.now());
  expect(await detail(watch)).toMatchObject({ state: 'acknowledged' });
  expect(await watch.messages()).toEqual(told);
  const { data } = await listAudit(alice, { limit: 10 });
  const acts = data.map(({ action }) => action).filter((action) => action.startsWith('incident.'));
  expect(acts).toEqual([
    ...['incident.acknowledged', 'incident.acknowledgement_ended', 'incident.acknowledged'],
  ]);
});

import { sql } from 'kysely';
/** What ends an incident, when an agent looks again, and when people are needed. */
import { expect, it } from 'vitest';
import {
  acknowledgeIncident,
  endIncidentAcknowledgement,
  resolveIncident,
} from '@/lib/incidents/manage-incidents';
import { advanceIncidents } from '@/lib/incidents/sweep';
import { rowsOf } from '@/lib/platform/db/sql';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { pauseProject, resumeProject } from '@/lib/projects/pauses';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { CheckSpec } from '@/lib/protocol/spec';
import { testConfig } from '@/tests/support/cast/organization';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { saveConfig } from '../engine/support/running';
import { expectRebuilt } from './support/rebuilding';
import { timelineOf } from './support/signals';
import { MONITORING, startWatch, type Watch } from './support/watching';

useTestDatabase();

const FIXED = { report: { resolved: true } } as const;
const OPENED = 'Checkout: web, Incident #1 opened';
const NEEDS_HUMAN = 'Checkout: web, Incident #1 needs a human';

/** web is down, with an incident that a chain looks at. */
async function outage(changes: Partial<ProjectConfig> = {}): Promise<Watch> {
  const watch = await startWatch(changes);
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  return watch;
}

const configured = (watch: Watch, changes: Partial<ProjectConfig>) =>
  saveConfig(watch.cast, { monitoring: MONITORING, maxTier: 1, ...changes });

const serviceStates = ({ cast }: Watch) =>
  inTransaction(cast.alice, (db) =>
    db.service.findMany({ orderBy: { name: 'asc' }, select: { name: true, status: true } }),
  );

async function incidentId(watch: Watch): Promise<string> {
  const [incident] = await watch.incidents();
  return encodeId('inc', incident?.id ?? '');
}

const [web, db] = testConfig().services;
if (!web || !db) throw new Error('The cast has two services.');

it.each<[string, Partial<ProjectConfig>]>([
  ['is renamed', { services: [{ ...web, name: 'shop' }, db] }],
  ['is removed', { services: [db] }],
  ['loses its checks', { services: [{ ...web, checks: [] }, db] }],
  [
    'is part of a project that is no longer monitored',
    { monitoring: { ...MONITORING, everySeconds: null } },
  ],
])(
  '[INC-2.1] an incident is over when its service %s, with one message',
  async (_what, changes) => {
    const watch = await outage();
    await watch.playChain({});
    await configured(watch, changes);
    await watch.minutes(2);
    expect(await watch.incidents()).toMatchObject([
      { state: 'resolved', resolution: 'removed', services: [{ name: 'web', status: 'unknown' }] },
    ]);
    expect(await watch.messages()).toEqual([OPENED, 'Checkout: web, Incident #1 is resolved']);
    expect((await timelineOf(watch)).at(-1)).toBe(
      'Nothing checks web anymore, so it leaves the incident.',
    );
    const states = await serviceStates(watch);
    expect(states).toContainEqual({ name: 'web', status: 'unknown' });
    await expectRebuilt(watch);
  },
);

it('[INC-2.1] a service that is removed leaves the incident to the others', async () => {
  const watch = await startWatch();
  await watch.minute();
  await watch.minutes(2, { web: 'down', db: 'down' });
  await watch.playChain({});
  await configured(watch, { services: [db] });
  await watch.minutes(2, { db: 'down' });
  expect(await watch.incidents()).toMatchObject([{ state: 'open' }]);
  await watch.minutes(2);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  await watch.minutes(10);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'recovered' }]);
  await expectRebuilt(watch);
});

it('[INC-3.1] a fix that fails twice reaches a human instead of another chain', async () => {
  const watch = await outage({ maxTier: 2 });
  for (const chains of [1, 2]) {
    expect(await watch.chains()).toHaveLength(chains);
    await watch.playChain({ report: wantsHelp() }, FIXED);
    await watch.minutes(4);
    expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
    expect(await watch.messages()).toEqual([OPENED]);
    await watch.minutes(2, { web: 'down' });
  }
  expect(await watch.incidents()).toMatchObject([
    { state: 'open', fixChainId: null, lookDueAt: null, services: [{ relapses: 2 }] },
  ]);
  await watch.minutes(5, { web: 'down' });
  expect(await watch.chains()).toHaveLength(2);
  expect(await watch.messages()).toEqual([OPENED, NEEDS_HUMAN]);
  await expectRebuilt(watch);
});

it('[INC-3.1] checks that can’t be performed for a time give a failed fix no more time', async () => {
  const watch = await outage({ maxTier: 2 });
  await watch.playChain({ report: wantsHelp() }, FIXED);
  await watch.minute({ web: 'unknown' });
  await watch.minute({ web: 'unknown' });
  await watch.minutes(2, { web: 'down' });
  expect(await watch.chains()).toHaveLength(1);
  expect(await watch.messages()).toEqual([OPENED, NEEDS_HUMAN]);
  await expectRebuilt(watch);
});

it('[INC-1.2] a look that a pause refuses is made after it, and people are needed once', async () => {
  const watch = await startWatch();
  const { alice, projectSlug } = watch.cast;
  await watch.minute();
  const pause = { reason: '', endsAt: null };
  await pauseProject(alice, projectSlug, pause, watch.now());
  await watch.minutes(10, { web: 'down' });
  expect(await watch.chains()).toEqual([]);
  expect((await timelineOf(watch)).slice(1)).toEqual([
    `No chain starts. Checkout is paused by ${alice.actor.label}. Resume it first.`,
  ]);
  await resumeProject(alice, projectSlug, watch.now());
  await watch.minutes(2, { web: 'down' });
  expect(await watch.chains()).toEqual([{ trigger: 'check', outcome: null }]);
  expect(await watch.messages()).toEqual([OPENED, NEEDS_HUMAN]);
  await expectRebuilt(watch);
});

it('[INC-1.2] a look that the day’s budget refuses is made once there is one', async () => {
  const budgets = { chainUsd: null, dayUsd: 0.01, monthUsd: null };
  const watch = await outage({ budgets });
  await watch.playChain({ costUsd: 0.5 });
  await watch.minutes(4);
  await watch.minutes(3, { web: 'down' });
  expect(await watch.chains()).toHaveLength(1);
  expect((await watch.messages()).filter((title) => title === NEEDS_HUMAN)).toHaveLength(1);
  await configured(watch, {});
  await watch.minutes(2, { web: 'down' });
  expect(await watch.chains()).toHaveLength(2);
  await expectRebuilt(watch);
});

it('[INC-2.1] the start of a chain is stored with the chain', async () => {
  const watch = await outage();
  const rows = await inTransaction(watch.cast.alice, (db) =>
    rowsOf(
      db,
      sql<{
        kind: string;
        transaction: string;
      }>`select 'chain' as kind, xmin::text as transaction from incident_chain
        union all select kind, xmin::text from incident_event where kind = 'chain_started'`,
    ),
  );
  expect(rows.map(({ kind }) => kind)).toEqual(['chain', 'chain_started']);
  expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(1);
});

it('[INC-2.1] resolved by a person, it stays so while the same failure lasts', async () => {
  const watch = await outage();
  await watch.playChain({});
  const { alice } = watch.cast;
  await resolveIncident(alice, await incidentId(watch), { note: 'Planned.' }, watch.now());
  const messages = await watch.messages();
  await watch.minutes(3, { web: 'unknown' });
  await watch.minutes(3, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'manual' }]);
  expect(await watch.messages()).toEqual(messages);
  expect(await watch.chains()).toHaveLength(1);
  await expectRebuilt(watch);
});

it('[INC-3.2] a chain isn’t credited with what a person repaired after its fix had failed', async () => {
  const watch = await outage({ maxTier: 2 });
  await watch.playChain({ report: wantsHelp() }, FIXED);
  await watch.minutes(6, { web: 'down' });
  expect(await watch.messages()).toEqual([OPENED, NEEDS_HUMAN]);
  await watch.minutes(13);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'recovered' }]);
  await expectRebuilt(watch);
});

it('[INC-3.1] a check with a long interval has the time that it needs to notice a fix', async () => {
  const slow: CheckSpec[] = web.checks.map((check) => ({ ...check, everySeconds: 600 }));
  const watch = await outage({ maxTier: 2, services: [{ ...web, checks: slow }, db] });
  await watch.playChain({ report: wantsHelp() }, FIXED);
  // Two failures and one interval of ten minutes.
  await watch.minutes(29, { web: 'down' });
  expect(await watch.messages()).toEqual([OPENED]);
  await watch.minutes(2, { web: 'down' });
  expect(await watch.messages()).toEqual([OPENED, NEEDS_HUMAN]);
  await expectRebuilt(watch);
});

it('[INC-2.1] services that fail together with long intervals are one incident, from the first failure', async () => {
  const watch = await startWatch({ incidents: { ...testConfig().incidents, groupSeconds: 0 } });
  await watch.minutes(2);
  await watch.minute({ db: 'down' });
  const first = watch.now();
  await watch.minute({ web: 'down' });
  await watch.minute({ web: 'down', db: 'down' });
  expect(await watch.incidents()).toMatchObject([
    { startedAt: first, services: [{ name: 'db' }, { name: 'web' }] },
  ]);
  await expectRebuilt(watch);
});

it('[INC-2.1] while a person works on it no tier starts, and their end makes the look due', async () => {
  const watch = await outage({ maxTier: 2 });
  const { alice } = watch.cast;
  const id = await incidentId(watch);
  await acknowledgeIncident(alice, id, { note: 'On it.' }, watch.now());
  // Tier 1 was at work, and requests tier 2.
  await watch.playChain({ report: wantsHelp() });
  const [chain] = await inTransaction(alice, (db) => db.chain.findMany());
  expect(chain).toMatchObject({ outcome: 'suppressed', outcomeReason: 'ACKNOWLEDGED' });
  await watch.minutes(5, { web: 'down', db: 'down' });
  expect(await watch.chains()).toHaveLength(1);
  await endIncidentAcknowledgement(alice, id, watch.now());
  await advanceIncidents(watch.now());
  expect(await watch.chains()).toHaveLength(2);
  await watch.playChain({ report: wantsHelp() }, FIXED);
  expect(await watch.chains()).toMatchObject([{ outcome: 'suppressed' }, { outcome: 'fixed' }]);
  await expectRebuilt(watch);
});

it('[INC-2.1] a resolved incident holds no service', async () => {
  const watch = await outage();
  const { alice } = watch.cast;
  const id = await incidentId(watch);
  const held = () => inTransaction(alice, (db) => db.serviceHold.count());
  await acknowledgeIncident(alice, id, { note: '' }, watch.now());
  expect(await held()).toBe(1);
  await resolveIncident(alice, id, { note: '' }, watch.now());
  expect(await held()).toBe(0);
});

/** A night of eight hours: three outages, two flaps and a recurrence, minute by minute. */
import { expect, it } from 'vitest';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { WEBHOOK_EVENT_TYPES } from '@/lib/deliveries/schema';
import { startDueChains } from '@/lib/engine/chains/start-chain';
import { getOverview } from '@/lib/insight/dashboard/get-overview';
import { summarizeOrganization, summarizeProject } from '@/lib/insight/dashboard/health-summary';
import { listIncidents } from '@/lib/insight/incidents/list-incidents';
import { expireResults, watchBlocks } from '@/lib/monitoring/sweep';
import { advancePaging } from '@/lib/paging/advance-paging';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { recordPresence } from '@/tests/support/presence';
import { expectRebuilt } from './support/rebuilding';
import { startWatch, type Watch } from './support/watching';

useTestDatabase();

type Found = Parameters<Watch['minute']>[0];

/** What the checks find from one minute up to below another; healthy otherwise. */
const NIGHT: readonly [from: string, to: string, found: NonNullable<Found>][] = [
  // An outage that tier 2 repairs.
  ['00:30', '00:32', { web: 'down' }],
  // A single failure, and two that are too far apart.
  ['02:00', '02:01', { db: 'down' }],
  ['02:30', '02:31', { web: 'down' }],
  ['02:33', '02:34', { web: 'down' }],
  // One service takes another with it, and the agent can't help.
  ['03:00', '03:04', { db: 'down' }],
  ['03:04', '03:25', { db: 'down', web: 'down' }],
  // Over before the agent has looked.
  ['05:00', '05:03', { web: 'degraded' }],
  // The same again, soon after.
  ['05:40', '05:43', { web: 'degraded' }],
];

function foundAt(clock: string): Found {
  return NIGHT.find(([from, to]) => clock >= from && clock < to)?.[2];
}

/**
 * What the project's page says from a minute on. Two of three results decide, so an outage is said with its second
 * failure, and its end with the second pass.
 */
const SAID: readonly [from: string, sentence: string][] = [
  ['00:01', 'All 2 services are healthy.'],
  [
    '00:31',
    'web is down, failing since 00:30 (… min); tier 2 reported a fix in Chain #1, which no check confirms yet.',
  ],
  ['00:33', 'All 2 services are healthy; Incident #1 is being verified.'],
  ['00:43', 'All 2 services are healthy.'],
  ['03:01', 'db is down, failing since 03:00 (… min).'],
  ['03:04', 'db is down, failing since 03:00 (… min); Incident #2 needs a human.'],
  ['03:05', 'db and web are down, the first since 03:00 (… min); Incident #2 needs a human.'],
  ['03:26', 'All 2 services are healthy; Incident #2 is being verified.'],
  ['03:36', 'All 2 services are healthy.'],
  ['05:01', 'web is degraded, failing since 05:00 (… min).'],
  ['05:04', 'All 2 services are healthy; Incident #3 is being verified.'],
  ['05:14', 'All 2 services are healthy.'],
  ['05:41', 'web is degraded, failing since 05:40 (… min).'],
  ['05:44', 'All 2 services are healthy; Incident #3 is being verified.'],
  ['05:54', 'All 2 services are healthy.'],
];

/** The same of the newest incident, in the list of incidents. */
const SAID_OF_INCIDENT: readonly [from: string, sentence: string | undefined][] = [
  ['00:01', undefined],
  ['00:31', 'web is down. It began at 00:30.'],
  ['00:33', 'All of its services are healthy.'],
  [
    '00:43',
    'web has been healthy since 00:33, after 3 min. An agent reported a fix, and the checks confirm it.',
  ],
  ['03:01', 'db is down. It began at 03:00.'],
  ['03:05', 'db and web are down. It began at 03:00.'],
  ['03:26', 'All of its services are healthy.'],
  ['03:36', 'db and web have been healthy since 03:26, after 26 min.'],
  ['05:01', 'web is degraded. It began at 05:00.'],
  ['05:04', 'All of its services are healthy.'],
  ['05:14', 'web has been healthy since 05:04, after 4 min.'],
  ['05:41', 'web is degraded. It began at 05:00, and was reopened at 05:41.'],
  ['05:44', 'All of its services are healthy.'],
  ['05:54', 'web has been healthy since 05:44, after 44 min and 1 reopening.'],
];

function saidAt<Sentence>(said: readonly [string, Sentence][], clock: string) {
  return said.findLast(([from]) => from <= clock)?.[1];
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Before a change, and until ten minutes of passing checks have resolved an incident. */
const [MINUTES_BEFORE, MINUTES_AFTER] = [2, 12];
const QUIET_MINUTES = 15;

/**
 * Whether the worker's sweeps run in a minute, and the pages are read: in each around a change, in one of 15
 * otherwise. The checks run in all of them.
 */
function isWatched(clock: string): boolean {
  const minute = minutesOf(clock);
  const isNear = NIGHT.some(
    ([from, to]) =>
      minute >= minutesOf(from) - MINUTES_BEFORE && minute <= minutesOf(to) + MINUTES_AFTER,
  );
  return isNear || minute % QUIET_MINUTES === 0;
}

/** Puts the minutes since a time of day where a sentence leaves them out. */
function withMinutes(sentence: string | undefined, clock: string): string | undefined {
  return sentence?.replace(
    /(\d\d:\d\d) \(… min\)/,
    (_, since: string) => `${since} (${minutesOf(clock) - minutesOf(since)} min)`,
  );
}

const inUtc = (at: Date) => at.toISOString().slice(11, 16);

/** What people read of it on the project's page, the home page and the list of incidents. */
async function read({ cast, now }: Watch) {
  const [overview, { data: incidents }] = await Promise.all([
    getOverview(cast.alice, now()),
    listIncidents(cast.alice, { limit: 1 }),
  ]);
  const [[project], [incident]] = [overview.projects, incidents];
  if (!project) throw new Error('There is no project.');
  return {
    project: summarizeProject(project, overview, inUtc).sentence,
    home: summarizeOrganization(overview, inUtc).sentence,
    incident: incident?.summary.replace(/\d{4}-\d\d-\d\d (\d\d:\d\d) UTC/g, '$1'),
  };
}

/** Everything else that a worker does regularly and that could start a chain or notify people. */
async function sweep({ now }: Watch): Promise<void> {
  for (let past = 60; past >= 0; past -= 10) {
    await recordPresence(new Date(now().getTime() - past * 1_000));
  }
  await startDueChains(now());
  await expireResults(now());
  await watchBlocks(now());
  await advancePaging(now());
}

/** Subscribes a webhook endpoint to everything that happens to incidents. */
async function addEndpoint({ cast }: Watch): Promise<void> {
  const eventTypes = WEBHOOK_EVENT_TYPES.filter((type) => type.startsWith('incident.'));
  const endpoint = { url: 'https://hooks.example', description: '', eventTypes, projectId: null };
  await createEndpoint(cast.alice, endpoint);
}

/** What the endpoint is sent, as `#1 opened`. */
async function webhooks({ cast }: Watch): Promise<string[]> {
  const rows = await inTransaction(cast.alice, (db) =>
    db.webhookDelivery.findMany({ where: { channelId: null }, orderBy: { id: 'asc' } }),
  );
  return rows.map(({ body, eventType }) => {
    const { incident } = JSON.parse(body).data;
    return `#${incident.number} ${eventType.replace('incident.', '')}`;
  });
}

/** Of everything that models were paid for so far. */
async function spentMicros({ cast }: Watch): Promise<number> {
  const { _sum: sum } = await inTransaction(cast.alice, (db) =>
    db.ledgerEntry.aggregate({ _sum: { costMicros: true } }),
  );
  return Number(sum.costMicros ?? 0);
}

it('[INC-2.1] [INC-2.2] [INC-2.3] [INC-1.2] three outages, two flaps and a recurrence are three incidents', async () => {
  const watch = await startWatch({ maxTier: 2 });
  await addEndpoint(watch);
  /** What was sent, and when money was spent, with the minute. */
  const sent: string[] = [];
  const paid: string[] = [];
  let spent = 0;
  while (watch.clock() < '08:00') {
    const next = inUtc(new Date(watch.now().getTime() + 60_000));
    await watch.minute(foundAt(next));
    const clock = watch.clock();
    if (!isWatched(clock)) continue;
    await sweep(watch);
    const chains = await watch.chains();
    if (chains.at(-1)?.outcome === null) {
      // The first outage is repaired by tier 2; nothing helps in the second.
      const isFirst = chains.length === 1;
      const isSecond = clock >= '03:00' && clock < '04:00';
      if (isFirst) await watch.playChain({ report: wantsHelp() }, { report: { resolved: true } });
      else if (isSecond) {
        await watch.playChain({ report: wantsHelp() }, { report: { resolved: false } });
      } else await watch.playChain({});
    }
    const sentence = withMinutes(saidAt(SAID, clock), clock);
    const [said, messages, total] = await Promise.all([
      read(watch),
      watch.messages(),
      spentMicros(watch),
    ]);
    expect(said, clock).toEqual({
      project: sentence,
      home: /down|degraded/.test(sentence ?? '')
        ? `1 of 1 project needs attention. Checkout: ${sentence}`
        : 'Nothing needs attention. 1 project.',
      incident: saidAt(SAID_OF_INCIDENT, clock),
    });
    sent.push(...messages.slice(sent.length).map((title) => `${clock} ${title}`));
    if (total > spent) paid.push(clock);
    spent = total;
  }

  const incidents = await watch.incidents();
  const facts = incidents.map(({ startedAt, state, resolution, reopenings, services }) => ({
    ...{ state, resolution, reopenings },
    startedAt: startedAt.toISOString().slice(11, 16),
    services: services.map(({ name }) => name).toSorted(),
  }));
  expect(facts).toEqual([
    {
      ...{ startedAt: '00:30', state: 'resolved', resolution: 'fixed', reopenings: 0 },
      services: ['web'],
    },
    {
      ...{ startedAt: '03:00', state: 'resolved', resolution: 'recovered', reopenings: 0 },
      services: ['db', 'web'],
    },
    {
      ...{ startedAt: '05:00', state: 'resolved', resolution: 'recovered', reopenings: 1 },
      services: ['web'],
    },
  ]);
  expect(sent).toEqual([
    '00:31 Checkout: web, Incident #1 opened',
    '00:43 Checkout: web, Incident #1 is resolved',
    '03:01 Checkout: db, Incident #2 opened',
    '03:04 Checkout: db, Incident #2 needs a human',
    '03:36 Checkout: db and web, Incident #2 is resolved',
    '05:01 Checkout: web, Incident #3 opened',
    '05:14 Checkout: web, Incident #3 is resolved',
    '05:41 Checkout: web, Incident #3 was reopened',
    '05:54 Checkout: web, Incident #3 is resolved',
  ]);
  const outage = ['opened', 'verifying', 'resolved'];
  expect(await webhooks(watch)).toEqual([
    ...outage.map((type) => `#1 ${type}`),
    ...['opened', 'needs_human', 'verifying', 'resolved'].map((type) => `#2 ${type}`),
    ...[...outage, 'reopened', 'verifying', 'resolved'].map((type) => `#3 ${type}`),
  ]);
  // An agent looks once for each outage, each service that joins it and each recurrence. Nothing else costs anything.
  expect(paid).toEqual(['00:31', '03:01', '03:05', '05:01', '05:41']);
  expect(await watch.chains()).toHaveLength(paid.length);
  await expectRebuilt(watch);
});

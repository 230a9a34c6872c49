/** A night of eight hours: three outages, two flaps and a recurrence, minute by minute. */
import { expect, it } from 'vitest';
import { getOverview } from '@/lib/insight/dashboard/get-overview';
import { summarizeProject } from '@/lib/insight/dashboard/health-summary';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
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

async function sentenceOf({ cast, now }: Watch): Promise<string> {
  const overview = await getOverview(cast.alice, now());
  const [project] = overview.projects;
  if (!project) throw new Error('There is no project.');
  return summarizeProject(project, overview, (at) => at.toISOString().slice(11, 16)).sentence;
}

/** The states of the services, by which a sentence is judged. */
function statesOf({ cast }: Watch) {
  return inTransaction(cast.alice, (db) =>
    db.service.findMany({ orderBy: { position: 'asc' }, select: { name: true, status: true } }),
  );
}

it('[INC-2.1] [INC-2.2] [INC-2.3] [INC-1.2] three outages, two flaps and a recurrence are three incidents', async () => {
  const watch = await startWatch({ maxTier: 2 });
  const moments: string[] = [];
  while (watch.clock() < '08:00') {
    const next = new Date(watch.now().getTime() + 60_000).toISOString().slice(11, 16);
    await watch.minute(foundAt(next));
    const chains = await watch.chains();
    if (chains.at(-1)?.outcome === null) {
      moments.push(watch.clock());
      // The first outage is repaired by tier 2; nothing helps in the second.
      const isFirst = chains.length === 1;
      const isSecond = watch.clock() >= '03:00' && watch.clock() < '04:00';
      if (isFirst) await watch.playChain({ report: wantsHelp() }, { report: { resolved: true } });
      else if (isSecond) {
        await watch.playChain({ report: wantsHelp() }, { report: { resolved: false } });
      } else await watch.playChain({});
    }
    const sentence = await sentenceOf(watch);
    const states = await statesOf(watch);
    const failing = states.filter(({ status }) => status === 'down' || status === 'degraded');
    const where = `${watch.clock()} ${sentence}`;
    for (const { name, status } of failing) {
      expect(sentence, where).toContain(name);
      expect(sentence, where).toContain(status);
    }
    if (failing.length === 0 && watch.clock() > '00:02') {
      expect(sentence, where).toMatch(/^All 2 services are healthy\b/);
      expect(sentence, where).not.toMatch(/needs a human|down|degraded/);
    }
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
  expect(await watch.messages()).toEqual([
    'Checkout: web, Incident #1 opened',
    'Checkout: web, Incident #1 is resolved',
    'Checkout: db, Incident #2 opened',
    'Checkout: db, Incident #2 needs a human',
    'Checkout: db and web, Incident #2 is resolved',
    'Checkout: web, Incident #3 opened',
    'Checkout: web, Incident #3 is resolved',
    'Checkout: web, Incident #3 was reopened',
    'Checkout: web, Incident #3 is resolved',
  ]);
  // The agent looked during outages alone, so the healthy hours cost nothing.
  expect(moments.filter((clock) => foundAt(clock) === undefined)).toEqual([]);
  await expectRebuilt(watch);
});

/** Where alerts and checks of one incident meet, on a clock that the test moves. */
import { expect, it } from 'vitest';
import { acknowledgeIncident, resolveIncident } from '@/lib/incidents/manage-incidents';
import { getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { encodeId } from '@/lib/platform/ids';
import type { ProjectConfig } from '@/lib/projects/schema';
import { testConfig } from '@/tests/support/cast/organization';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { saveConfig } from '../engine/support/running';
import { expectRebuilt } from './support/rebuilding';
import { signal, signalSource } from './support/signals';
import { MONITORING, startWatch, type Watch } from './support/watching';

useTestDatabase();

const OPENED = 'Checkout: web, Incident #1 opened';
const RESOLVED = 'Checkout: web, Incident #1 is resolved';

const [web, db] = testConfig().services;
if (!web || !db) throw new Error('The cast has two services.');
const UNCHECKED_WEB = { services: [{ ...web, checks: [] }, db] };

const configured = (watch: Watch, changes: Partial<ProjectConfig>) =>
  saveConfig(watch.cast, { monitoring: MONITORING, maxTier: 1, ...changes });

async function incidentId(watch: Watch): Promise<string> {
  const [incident] = await watch.incidents();
  return encodeId('inc', incident?.id ?? '');
}

it('[INC-2.1] [INC-1.3] an alert about a service whose checks are removed holds its incident, and its end is reported', async () => {
  const watch = await startWatch();
  const source = await signalSource(watch);
  await watch.minutes(3, { web: 'down' });
  const firing = signal(watch);
  await source.send(firing);
  await watch.playChain({});
  await configured(watch, UNCHECKED_WEB);
  await watch.minutes(12);
  expect(await watch.incidents()).toMatchObject([{ state: 'open', verifyingSince: null }]);
  await source.send({ ...firing, status: 'resolved' });
  await watch.minutes(11);
  expect(await watch.incidents()).toMatchObject([
    { state: 'resolved', resolution: 'reported', fixChainId: null },
  ]);
  const { summary } = await getIncidentByNumber(watch.cast.alice, 'checkout', 1);
  expect(summary).toMatch(/^The source reported the end at .* No check confirms it\.$/);
  await expectRebuilt(watch);
});

it.each(['degraded', 'unknown'] as const)(
  '[INC-2.1] the end of an alert verifies nothing while the check of its service says %s',
  async (status) => {
    const watch = await startWatch();
    const source = await signalSource(watch);
    const firing = signal(watch);
    await watch.minutes(3, { web: 'down' });
    await source.send(firing);
    await watch.playChain({});
    await watch.minutes(3, { web: status });
    await source.send({ ...firing, status: 'resolved' });
    expect(await watch.incidents()).toMatchObject([
      { state: 'open', verifyingSince: null, services: [{ status }] },
    ]);
  },
);

it('[INC-2.1] [INC-1.3] an alert that fires ends no verification whose checks are removed', async () => {
  const watch = await startWatch();
  const source = await signalSource(watch);
  await watch.minutes(3, { web: 'down' });
  await source.send(signal(watch));
  await watch.playChain({});
  await watch.minutes(3);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  await configured(watch, UNCHECKED_WEB);
  await watch.minutes(15);
  expect(await watch.incidents()).toMatchObject([{ state: 'open', verifyingSince: null }]);
  expect(await watch.chains()).toHaveLength(2);
  await expectRebuilt(watch);
});

it('[INC-2.1] [INC-1.3] without an alert that fires, removed checks end the incident as removed', async () => {
  const watch = await startWatch();
  const source = await signalSource(watch);
  await watch.minutes(3, { web: 'down' });
  const firing = signal(watch);
  await source.send(firing);
  await watch.playChain({});
  await source.send({ ...firing, status: 'resolved' });
  await configured(watch, UNCHECKED_WEB);
  await watch.minute();
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'removed' }]);
  expect(await watch.messages()).toEqual([OPENED, RESOLVED]);
  await expectRebuilt(watch);
});

it('[INC-2.1] [INC-1.3] an alert that ends after a manual resolution holds no incident that is reopened', async () => {
  const watch = await startWatch();
  const source = await signalSource(watch);
  await watch.minutes(3, { web: 'down' });
  const firing = signal(watch, { id: 'queue', service: 'billing' });
  await source.send(firing);
  await watch.playChain({});
  await resolveIncident(watch.cast.alice, await incidentId(watch), { note: '' }, watch.now());
  // Of the failure that lasts: a person has ended it.
  await source.send(signal(watch));
  await watch.minute({ web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', reopenings: 0 }]);
  await source.send({ ...firing, status: 'resolved' });
  await watch.minutes(3);
  await watch.minutes(2, { web: 'down' });
  expect(await watch.incidents()).toMatchObject([{ state: 'open', reopenings: 1 }]);
  await watch.playChain({});
  await watch.minutes(3);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying' }]);
  await expectRebuilt(watch);
});

it('[INC-3.2] [INC-1.3] a fix is credited although a check fails that the alert has reported', async () => {
  const watch = await startWatch({ maxTier: 2 });
  await watch.minute();
  const source = await signalSource(watch);
  await source.send(signal(watch));
  await watch.minute();
  await watch.minutes(2, { web: 'down' });
  await watch.playChain({ report: wantsHelp() }, { report: { resolved: true } });
  await watch.minutes(13);
  expect(await watch.incidents()).toMatchObject([{ state: 'resolved', resolution: 'fixed' }]);
  expect(await watch.chains()).toEqual([{ trigger: 'alert', outcome: 'fixed' }]);
  await expectRebuilt(watch);
});

it('[INC-1.3] a new alert in an acknowledged incident starts no chain and notifies nobody', async () => {
  const watch = await startWatch();
  const source = await signalSource(watch);
  await watch.minutes(3, { web: 'down' });
  await watch.playChain({});
  await acknowledgeIncident(watch.cast.alice, await incidentId(watch), { note: '' }, watch.now());
  const before = await watch.messages();
  await source.send(signal(watch, { id: 'queue', service: 'billing', severity: 'critical' }));
  await watch.minutes(5, { web: 'down' });
  expect(await watch.chains()).toHaveLength(1);
  expect(await watch.messages()).toEqual(before);
  expect(await watch.incidents()).toMatchObject([{ state: 'acknowledged', lookDueAt: null }]);
  await expectRebuilt(watch);
});

/** Incidents of services that no check watches without an agent: what chains find decides. */
import { expect, it } from 'vitest';
import { startChain } from '@/lib/engine/chains/start-chain';
import { acknowledgeIncident } from '@/lib/incidents/manage-incidents';
import { getOverview } from '@/lib/insight/dashboard/get-overview';
import { summarizeProject } from '@/lib/insight/dashboard/health-summary';
import { getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import type { ProjectConfig } from '@/lib/projects/schema';
import type { RunnerEvent } from '@/lib/protocol/events';
import type { TierReport } from '@/lib/protocol/report';
import { testConfig } from '@/tests/support/cast/organization';
import { wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { addPager } from './support/paging';
import { expectRebuilt } from './support/rebuilding';
import { timelineOf } from './support/signals';
import { MONITORING, startWatch, type Watch } from './support/watching';

useTestDatabase();

const UNWATCHED = { monitoring: { ...MONITORING, everySeconds: null } };
const [web, db] = testConfig().services;
if (!web || !db) throw new Error('The cast has two services.');

const measured = (service: string, status: 'healthy' | 'down'): RunnerEvent => ({
  ...{ kind: 'check_result', service, type: 'http', status, target: 'http://127.0.0.1:9/health' },
  ...{ error: status === 'down' ? 'Connection refused.' : '', responseTimeMs: null },
});
const says = (name: string, status: 'healthy' | 'down'): Partial<TierReport> => ({
  services_checked: [{ name, status, detail: status === 'down' ? 'No answer.' : '' }],
});

/** A chain of one tier: what the runner measured, and what the agent reports. */
async function chain(
  watch: Watch,
  played: { report?: Partial<TierReport>; events?: RunnerEvent[] },
): Promise<void> {
  const { alice, projectId } = watch.cast;
  await startChain(alice, { projectId, trigger: 'manual' }, watch.now());
  await watch.playChain(played);
}

const isDown = { report: wantsHelp(), events: [measured('web', 'down')] };
const isWell = { events: [measured('web', 'healthy')] };

async function unwatched(changes: Partial<ProjectConfig> = {}): Promise<Watch> {
  const watch = await startWatch({ ...UNWATCHED, ...changes });
  await watch.minute();
  return watch;
}

async function sentenceOf({ cast, now }: Watch): Promise<string> {
  const overview = await getOverview(cast.alice, now());
  const [project] = overview.projects;
  if (!project) throw new Error('There is no project.');
  return summarizeProject(project, overview, (at) => at.toISOString().slice(11, 16)).sentence;
}

it('[INC-2.1] [INC-2.2] what a chain finds opens an incident, with one message, however many chains find it', async () => {
  const watch = await unwatched();
  await chain(watch, isDown);
  expect(await watch.incidents()).toMatchObject([
    {
      ...{ source: 'finding', state: 'open', startedAt: watch.now(), lookDueAt: null },
      needsHumanSince: expect.any(Date),
      services: [{ name: 'web', status: 'down', error: 'Connection refused.' }],
    },
  ]);
  await watch.minutes(10);
  await chain(watch, isDown);
  await watch.minutes(5);
  expect(await watch.messages()).toEqual(['Checkout: web, Incident #1 needs a human']);
  expect(await watch.chains()).toHaveLength(2);
  const [found, first, second, ...rest] = await timelineOf(watch);
  expect(found).toBe('Chain #1 found web down. Connection refused.');
  expect(first).toMatch(/^Chain #1 ended\./);
  expect(second).toMatch(/^Chain #2 ended\./);
  expect(rest).toEqual([]);
  expect(await sentenceOf(watch)).toMatch(
    /^web has been down since 00:01 \(15 min\); Chain #2 needs a human/,
  );
  await expectRebuilt(watch);
});

it('[INC-2.1] [INC-3.1] a chain that finds the service healthy ends it, which nothing proves', async () => {
  const watch = await unwatched();
  await chain(watch, isDown);
  await watch.minutes(10);
  await chain(watch, isWell);
  expect(await watch.incidents()).toMatchObject([{ state: 'verifying', needsHumanSince: null }]);
  expect(await sentenceOf(watch)).toMatch(/Incident #1 is being verified/);
  await watch.minutes(11);
  expect(await watch.incidents()).toMatchObject([
    { state: 'resolved', resolution: 'reported', fixChainId: null },
  ]);
  expect(await watch.messages()).toEqual([
    'Checkout: web, Incident #1 needs a human',
    'Checkout: web, Incident #1 is resolved',
  ]);
  const { summary } = await getIncidentByNumber(watch.cast.alice, watch.cast.projectSlug, 1);
  expect(summary).toBe(
    'The last chain found web healthy at 2026-11-26 00:11 UTC, after 10 min. No check without an agent confirms it.',
  );
  expect((await timelineOf(watch)).at(-1)).toBe(
    'No chain has found a failure for the whole window, and no check confirms the recovery. It is resolved.',
  );
  // Soon after, it is the same incident.
  await chain(watch, isDown);
  expect(await watch.incidents()).toMatchObject([
    { state: 'open', reopenings: 1, lookDueAt: null },
  ]);
  expect((await watch.messages()).slice(2)).toEqual(['Checkout: web, Incident #1 needs a human']);
  await expectRebuilt(watch);
});

it('[INC-2.1] a chain that ends with findings opens one, too, and one that repaired what it found doesn’t', async () => {
  const watch = await unwatched({ dryRun: true, maxTier: 3 });
  await chain(watch, {
    report: { resolved: true },
    events: [measured('web', 'down'), measured('web', 'healthy')],
  });
  expect(await watch.incidents()).toEqual([]);
  await chain(watch, { ...isDown, report: wantsHelp() });
  expect(await watch.incidents()).toMatchObject([{ state: 'open', needsHumanSince: null }]);
  expect(await watch.messages()).toEqual(['Checkout: web, Incident #1 opened']);
  await watch.minutes(10);
  expect(await watch.incidents()).toMatchObject([{ state: 'open', needsHumanSince: null }]);
  await expectRebuilt(watch);
});

it('[INC-2.1] where nothing can be measured, the agent’s report counts, and is quoted as such', async () => {
  const watch = await unwatched({ services: [{ ...web, checks: [] }, db] });
  await chain(watch, { report: { ...wantsHelp(), ...says('web', 'down') } });
  expect((await timelineOf(watch))[0]).toBe('The agent of Chain #1 reported web down. No answer.');
  await watch.minutes(5);
  await chain(watch, { report: says('web', 'healthy') });
  expect((await timelineOf(watch)).at(-2)).toBe('The agent of Chain #2 reported web healthy.');
  await expectRebuilt(watch);
});

it('[INC-2.1] a service with checks has no incident by a finding, and one without has one beside it', async () => {
  const watch = await startWatch({ services: [{ ...web, checks: [] }, db] });
  await watch.minutes(3);
  await chain(watch, { report: { ...wantsHelp(['db']), ...says('db', 'down') } });
  expect(await watch.incidents()).toEqual([]);
  expect(await watch.messages()).toEqual(['Checkout: Chain #1 needs a human']);
  await watch.minutes(2, { db: 'down' });
  await watch.playChain({ report: says('web', 'down') });
  expect(await watch.incidents()).toMatchObject([
    { source: 'check', services: [{ name: 'db' }] },
    { source: 'finding', services: [{ name: 'web' }] },
  ]);
  await expectRebuilt(watch);
});

it('[INC-2.2] whoever follows verifications learns that a chain found it failing again, and nobody twice', async () => {
  const watch = await unwatched();
  await addPager(watch, 'Both', { eventTypes: ['incident.verifying'], outcomes: ['needs_human'] });
  await chain(watch, isDown);
  await watch.minutes(2);
  await chain(watch, isWell);
  await watch.minutes(2);
  await chain(watch, isDown);
  const rows = await inTransaction(watch.cast.alice, (tenant) =>
    tenant.webhookDelivery.findMany({
      where: { channel: { name: 'Both' } },
      orderBy: { id: 'asc' },
    }),
  );
  expect(rows.map(({ eventType }) => eventType)).toEqual([
    'incident.needs_human',
    'incident.verifying',
    'incident.needs_human',
  ]);
});

it('[INC-2.1] while a person works on it, further chains are no news', async () => {
  const watch = await unwatched();
  await chain(watch, isDown);
  const [incident] = await watch.incidents();
  const id = encodeId('inc', incident?.id ?? '');
  await acknowledgeIncident(watch.cast.alice, id, { note: '' }, watch.now());
  const before = await watch.messages();
  await watch.minutes(10);
  await chain(watch, isDown);
  expect(await watch.incidents()).toMatchObject([{ state: 'acknowledged' }]);
  expect(await watch.messages()).toEqual(before);
  await expectRebuilt(watch);
});

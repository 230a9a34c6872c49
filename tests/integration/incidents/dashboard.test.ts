/** What the dashboard makes of incidents, by the rows that real checks leave. */
import { expect, it } from 'vitest';
import { drainRunner, listRunners } from '@/lib/fleet/manage-runners';
import { acknowledgeIncident } from '@/lib/incidents/manage-incidents';
import { attentionOf } from '@/lib/insight/dashboard/attention';
import { getOverview } from '@/lib/insight/dashboard/get-overview';
import { summarizeOrganization, summarizeProject } from '@/lib/insight/dashboard/health-summary';
import { listIncidents } from '@/lib/insight/incidents/list-incidents';
import { snoozeService } from '@/lib/projects/pauses';
import { useTestDatabase } from '@/tests/support/database';
import { startWatch, type Watch } from './support/watching';

useTestDatabase();

const clock = (at: Date) => at.toISOString().slice(11, 16);

/** No chain starts, so an outage needs a human at once. */
async function startUnattended(): Promise<Watch> {
  const watch = await startWatch({ startOn: { checkChange: false, alert: false } });
  await watch.minute();
  return watch;
}

async function summaryOf({ cast, now }: Watch, at = now()) {
  const overview = await getOverview(cast.alice, at);
  const [project] = overview.projects;
  if (!project) throw new Error('The cast has a project.');
  const { condition, sentence, title } = summarizeProject(project, overview, clock);
  const kinds = attentionOf(overview).map(({ kind }) => kind);
  const home = summarizeOrganization(overview, clock).sentence;
  return { incident: project.incident, state: condition.state, sentence, title, kinds, home };
}

it('[INC-2.3] an incident that needs a human is said although its service can’t be checked', async () => {
  const watch = await startUnattended();
  await watch.minutes(2, { web: 'down' });
  await watch.minutes(4, { web: 'unknown' });
  expect(await summaryOf(watch)).toMatchObject({
    incident: { number: 1, state: 'open', needsHumanSince: new Date('2026-11-26T00:03:00Z') },
    state: 'needs_human',
    sentence: '1 service healthy, 1 not checked; Incident #1 needs a human.',
    title: 'Needs a human · Checkout',
    kinds: ['incident'],
    home: '1 of 1 project needs attention. Checkout: 1 service healthy, 1 not checked; Incident #1 needs a human.',
  });

  const { data } = await listIncidents(watch.cast.alice, { limit: 1 });
  await acknowledgeIncident(watch.cast.alice, data[0]?.id ?? '', { note: '' }, watch.now());
  expect(await summaryOf(watch)).toMatchObject({
    state: 'ok',
    sentence: `1 service healthy, 1 not checked; Incident #1 is acknowledged by ${watch.cast.alice.actor.label}.`,
    kinds: [],
  });
});

it('[INC-2.3] of several incidents the worst decides, not the newest', async () => {
  const watch = await startUnattended();
  await watch.minutes(2, { web: 'down' });
  await watch.minutes(12, { web: 'unknown' });
  await watch.minutes(2, { web: 'unknown', db: 'down' });
  await watch.minutes(3, { web: 'unknown' });
  const states = (await watch.incidents()).map(({ number, state }) => ({ number, state }));
  expect(states).toEqual([
    { number: 1, state: 'open' },
    { number: 2, state: 'verifying' },
  ]);
  expect(await summaryOf(watch)).toMatchObject({
    incident: { number: 1 },
    state: 'needs_human',
    sentence: '1 service healthy, 1 not checked; Incident #1 needs a human.',
  });
});

it('[INC-2.3] an incident whose services are snoozed needs nobody until the snooze ends', async () => {
  const watch = await startUnattended();
  await watch.minutes(2, { web: 'down' });
  await watch.minutes(4, { web: 'unknown' });
  const until = new Date(watch.now().getTime() + 10 * 60_000);
  const { alice, projectSlug } = watch.cast;
  const web = { project: projectSlug, name: 'web' };
  await snoozeService(alice, web, { until, reason: '' }, watch.now());
  expect(await summaryOf(watch)).toMatchObject({ incident: { isSnoozed: true }, state: 'ok' });
  const later = await summaryOf(watch, new Date(until.getTime() + 1));
  expect(later).toMatchObject({ incident: { isSnoozed: false }, state: 'needs_human' });
});

it('[INC-2.3] a runner that takes no new work still checks, and one that is offline doesn’t', async () => {
  const watch = await startWatch();
  await watch.minutes(3);
  const { data: runners } = await listRunners(watch.cast.alice, { limit: 1 });
  await drainRunner(watch.cast.alice, runners[0]?.id ?? '');
  await watch.minute();
  expect((await summaryOf(watch)).sentence).toBe(
    'All 2 services are healthy. No runner of pool default takes new work, so no chain starts.',
  );
  await watch.silence(2);
  expect((await summaryOf(watch)).sentence).toBe(
    'All 2 services are healthy. No runner of pool default takes new work, so nothing is checked.',
  );
});

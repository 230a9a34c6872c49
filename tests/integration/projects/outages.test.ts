import { expect, it } from 'vitest';
import { acknowledgeChain } from '@/lib/engine/chains/acknowledge-chain';
import { startChain } from '@/lib/engine/chains/start-chain';
import { advanceIncidents } from '@/lib/incidents/sweep';
import { findDefaultRange } from '@/lib/insight/analytics/get-plots';
import { attentionOf } from '@/lib/insight/dashboard/attention';
import { getOverview, getServiceHealth } from '@/lib/insight/dashboard/get-overview';
import { getServicePage } from '@/lib/insight/dashboard/get-service-page';
import { summarizeOrganization, summarizeProject } from '@/lib/insight/dashboard/health-summary';
import { encodeId } from '@/lib/platform/ids';
import { pauseProject, snoozeService } from '@/lib/projects/pauses';
import { getCurrentProject } from '@/lib/projects/versions';
import type { CheckResultEvent } from '@/lib/protocol/events';
import { type Cast, makeCast } from '@/tests/support/cast/organization';
import { claimNext, type Played, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();

const MINUTE_MS = 60_000;
const BEGIN = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS);
const after = (minutes: number) => new Date(BEGIN.getTime() + minutes * MINUTE_MS);
const clock = (at: Date) => `+${Math.round((at.getTime() - BEGIN.getTime()) / MINUTE_MS)}`;

function check(
  status: CheckResultEvent['status'],
  responseTimeMs: number | null = null,
  service = 'web',
): CheckResultEvent {
  const error = status === 'healthy' ? '' : 'Connection refused.';
  const target = `http://${service}.example`;
  return { kind: 'check_result', service, type: 'http', target, status, error, responseTimeMs };
}

/** A chain of the project, of which one attempt for each entry is played in turn. */
async function runChain(cast: Cast, minutes: number, ...played: Played[]): Promise<string> {
  const { chainId } = await startChain(
    cast.alice,
    { projectId: cast.projectId, trigger: 'manual' },
    after(minutes),
  );
  for (const one of played) {
    await play(cast.runner, await claimNext(cast.runner, after(minutes)), one, after(minutes));
  }
  return chainId;
}

const found = (...events: CheckResultEvent[]): Played => ({ report: {}, events });
const escalates = (...events: CheckResultEvent[]): Played => ({ report: wantsHelp(), events });

async function summaryOf(cast: Cast, minutes: number) {
  const overview = await getOverview(cast.alice, after(minutes));
  const [project] = overview.projects;
  if (!project) throw new Error('The cast has a project.');
  return {
    project,
    items: attentionOf(overview),
    home: summarizeOrganization(overview, clock),
    summary: summarizeProject(project, overview, clock),
  };
}

it('[PAG-1.2] a service that is down after a suppressed chain needs attention, since its first failed check', async () => {
  const cast = await makeCast({ dryRun: true });
  await runChain(cast, 0, found(check('healthy', 12)));
  await runChain(cast, 10, escalates(check('down')));
  await runChain(cast, 20, escalates(check('degraded', 900)));
  await runChain(cast, 30, escalates(check('down')));
  const { project, items, home, summary } = await summaryOf(cast, 31);
  expect(project.lastChain).toMatchObject({
    number: 4,
    outcome: 'suppressed',
    outcomeReason: 'DRY_RUN',
  });
  expect(items).toMatchObject([{ kind: 'outage', outage: { since: after(10), chains: 3 } }]);
  expect(home.title).toMatch(/^1 down · /);
  expect(home.sentence).toMatch(
    /^1 of 1 project needs attention\. Checkout: web is down, failing since \+10 \(21 min\)/,
  );
  expect(summary).toMatchObject({
    mark: { kind: 'service', state: 'down' },
    title: 'Down · Checkout',
  });

  await pauseProject(cast.alice, 'checkout', { reason: '', endsAt: null }, after(31));
  const paused = await summaryOf(cast, 32);
  expect(paused.summary).toMatchObject({
    mark: { kind: 'service', state: 'down' },
    hold: { kind: 'project', state: 'paused' },
  });

  await snoozeService(
    cast.alice,
    { project: 'checkout', name: 'web' },
    { until: after(93), reason: '' },
    after(33),
  );
  const snoozed = await summaryOf(cast, 34);
  expect(snoozed.items).toEqual([]);
  expect(snoozed.home.sentence).toMatch(/web is down but snoozed by .+ until \+93\. Nothing else/);
});

it('[PAG-1.2] an outage ends with a healthy check, and the next one has its own beginning', async () => {
  const cast = await makeCast({ maxTier: 1 });
  await runChain(cast, 0, escalates(check('down')));
  await runChain(cast, 10, found(check('healthy')));
  expect((await summaryOf(cast, 11)).project.failing).toEqual([]);
  await runChain(cast, 20, escalates(check('down')));
  const { project } = await summaryOf(cast, 21);
  expect(project.failing).toMatchObject([{ name: 'web', since: after(20), chains: 1 }]);
});

it('[PAG-1.2] an acknowledged outage says by whom, until it ends', async () => {
  const cast = await makeCast({ maxTier: 1 });
  const by = cast.alice.actor.label;
  const first = await runChain(cast, 0, escalates(check('down')));
  await acknowledgeChain(cast.alice, encodeId('chn', first), { note: '' }, after(5));
  await runChain(cast, 10, escalates(check('down')));
  const { items, summary } = await summaryOf(cast, 11);
  expect(items).toMatchObject([
    { kind: 'outage', outage: { acknowledged: { by, incidentNumber: 1 } } },
  ]);
  expect(summary.sentence).toContain(`acknowledged by ${by} in Incident #1`);
  await runChain(cast, 20, found(check('healthy')));
  await advanceIncidents(after(35));
  await runChain(cast, 40, escalates(check('down')));
  expect((await summaryOf(cast, 41)).items).toMatchObject([{ outage: { acknowledged: null } }]);
});

it('[PAG-1.2] strip and uptime count the worst of each chain and mark what a tier repaired', async () => {
  const cast = await makeCast();
  const other = await makeCast();
  await runChain(cast, 0, found(check('healthy', 10)));
  const repair = found(check('healthy', 30));
  await runChain(cast, 10, escalates(check('down')), repair);
  // Down and up again within one batch of events.
  await runChain(cast, 20, found(check('healthy', 9), check('down'), check('healthy', 20)));
  await runChain(other, 0, escalates(check('down')), repair);

  const [web] = await getServiceHealth(cast.alice, cast.projectId, after(21));
  expect(
    web?.cells.map(({ chainNumber, state, recovery }) => [chainNumber, state, recovery]),
  ).toEqual([
    [1, 'healthy', null],
    [2, 'down', { kind: 'repaired', tier: 2 }],
    [3, 'down', { kind: 'recovered' }],
  ]);
  expect(web).toMatchObject({ status: 'healthy', failingSince: null, latencyMs: 20 });

  const { config } = await getCurrentProject(cast.alice, 'checkout');
  const page = await getServicePage(
    cast.alice,
    { projectId: cast.projectId, config, name: 'web' },
    { range: null, timeZone: 'UTC' },
    after(21),
  );
  expect(page.range).toBe('24h');
  // Its checks run in chains only, so these are all that is known.
  const { past } = page;
  if (past.source !== 'chains') throw new Error('It has no checks without an agent.');
  expect(past.sentence).toBe('In the last 24 hours, web was down in 2 of 3 chains, repaired in 1.');
  expect(past.uptime).toHaveLength(3);
  for (const span of past.uptime) {
    expect(span).toMatchObject({
      share: '33%',
      words: 'down in 2 of 3 chains, repaired in 1',
      p50: 20,
      p95: 29,
    });
  }
  expect(past.latency.map(({ ms }) => ms)).toEqual([10, 30, 20]);
});

it('plots of a project begin with its first day', async () => {
  const cast = await makeCast();
  expect(await findDefaultRange(cast.alice, encodeId('prj', cast.projectId), after(0))).toBe('24h');
  await runChain(cast, 0, found(check('healthy')));
  expect(await findDefaultRange(cast.alice, encodeId('prj', cast.projectId), after(60))).toBe(
    '24h',
  );
  expect(await findDefaultRange(cast.alice, encodeId('prj', cast.projectId), after(25 * 60))).toBe(
    '7d',
  );
});

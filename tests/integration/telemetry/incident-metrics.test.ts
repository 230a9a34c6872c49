/** What is counted of incidents, checks and alerts, and what a scrape reads of their rows. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateChannel } from '@/lib/deliveries/channels/manage-channels';
import { acknowledgeIncident } from '@/lib/incidents/manage-incidents';
import { listIncidents } from '@/lib/insight/incidents/list-incidents';
import { advancePaging } from '@/lib/paging/advance-paging';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { liveHub } from '@/lib/platform/live/hub';
import { forgetMetrics } from '@/lib/platform/metrics/registry';
import { answerScrape, forgetState } from '@/lib/telemetry/metrics/scrape';
import { subscribeMetrics } from '@/lib/telemetry/start';
import { recordJobEnd, registerJobs } from '@/lib/watchdog/job-runs';
import { watch as watchInstallation } from '@/lib/watchdog/watch';
import { runSql, useTestDatabase } from '@/tests/support/database';
import { hasPromtool, lintMetrics } from '@/tests/support/metrics/promtool';
import { readMetrics } from '@/tests/support/metrics/read-metrics';
import type { ApiServer } from '../api/support/server';
import { startPaging } from '../incidents/support/paging';
import { startWatch } from '../incidents/support/watching';
import { fixture } from '../signals/support/fixtures';
import { makeSender, openServer } from '../signals/support/sending';

const database = useTestDatabase();
beforeAll(subscribeMetrics);
beforeEach(forgetMetrics);
afterAll(() => liveHub().close());

const LOCAL = { authorization: null, peer: '127.0.0.1', host: '127.0.0.1', isForwarded: false };

async function scrapeText(): Promise<string> {
  forgetState();
  return (await answerScrape(LOCAL, '10', { hasState: true })).body;
}

async function scrape() {
  const { samples } = readMetrics(await scrapeText());
  return (name: string, labels = '') =>
    samples.get(`tierwatch_${name}${labels === '' ? '' : `{${labels}}`}`);
}

describe('[INC-4.2] an outage', () => {
  it('is in the metrics of incidents and checks, and counted once', async () => {
    const watch = await startWatch();
    await watch.minutes(2);
    const first = await scrape();
    expect(first('incidents', 'severity="critical",state="open"')).toBe(0);
    expect(first('check_results_total', 'kind="http",result="healthy"')).toBe(2);
    expect(first('check_duration_seconds_count', 'kind="http"')).toBe(2);
    expect(first('checks', 'kind="http",state="healthy"')).toBe(1);

    await watch.minutes(2, { web: 'down' });
    const second = await scrape();
    expect(second('incidents', 'severity="critical",state="open"')).toBe(1);
    expect(second('incident_changes_total', 'change="opened"')).toBe(1);
    expect(second('check_results_total', 'kind="http",result="down"')).toBe(2);
    expect(second('check_duration_seconds_count', 'kind="http"')).toBe(2);
    expect(second('checks', 'kind="http",state="down"')).toBe(1);
    expect(second('checks', 'kind="http",state="healthy"')).toBe(0);

    await watch.playChain({});
    await watch.minute({ web: 'unknown' });
    await watch.minutes(16);
    const third = await scrape();
    expect(third('incidents', 'severity="critical",state="open"')).toBe(0);
    expect(third('incidents', 'severity="critical",state="verifying"')).toBe(0);
    expect(third('incident_changes_total', 'change="opened"')).toBe(1);
    expect(third('incident_changes_total', 'change="resolved"')).toBe(1);
    expect(third('check_results_total', 'kind="http",result="unknown"')).toBe(1);
    // Its clock is the test's, so that every check is late by now, once its configuration is older, too.
    expect(third('check_lag_seconds')).toBeLessThan(60);
    await runSql(database.superuserUrl, `update project_version set created_at = '2026-11-26'`);
    const fourth = await scrape();
    expect(fourth('check_lag_seconds')).toBeGreaterThan(60);
  });
});

describe('[INC-4.2] paging', () => {
  it('is a gauge by its state, its steps are counted, and so is the time to the acknowledgement', async () => {
    const of = await startPaging();
    await updateChannel(of.cast.alice, of.slack.id, { isMuted: true }, of.now());
    await of.setPolicy();
    await of.pass(1);
    await of.pass(2, { web: 'down' });
    const first = await scrape();
    expect(first('paging_runs', 'state="running"')).toBe(1);
    // Its former name.
    expect(first('escalations', 'state="running"')).toBe(1);
    expect(first('paging_steps_total', 'result="sent"')).toBe(0);
    await of.pass(5, { web: 'down' });
    const second = await scrape();
    expect(second('paging_steps_total', 'result="reached_nobody"')).toBe(1);
    expect(second('escalation_steps_total', 'result="sent"')).toBe(1);
    expect(second('paging_failures_total')).toBe(0);
    const { data } = await listIncidents(of.cast.alice, { limit: 1 });
    await acknowledgeIncident(of.cast.alice, data[0]?.id ?? '', { note: '' }, of.now());
    await advancePaging(of.now());
    const third = await scrape();
    expect(third('paging_runs', 'state="running"')).toBe(0);
    expect(third('paging_runs', 'state="waiting"')).toBe(1);
    expect(third('incident_acknowledgement_seconds_sum')).toBe(300);
    expect(third('incident_acknowledgement_seconds_count')).toBe(1);
  });

  it('that fails is counted', async () => {
    const of = await startPaging();
    await of.setPolicy();
    await of.pass(1);
    await of.pass(2, { web: 'down' });
    await inTransaction(of.cast.alice, (db) => db.pagingRun.updateMany({ data: { plan: {} } }));
    await of.pass(5, { web: 'down' });
    expect((await scrape())('paging_failures_total')).toBe(1);
  });
});

describe('[INC-4.2] alerts', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await openServer();
  });
  afterAll(() => server.close());

  it('are counted as accepted or rejected, and those that fire are a gauge', async () => {
    const sender = await makeSender('alertmanager');
    await sender.deliver(fixture('alertmanager_firing'));
    expect((await sender.send('{}', { token: 'wrong' })).status).toBe(401);
    expect((await sender.send('{}', { token: null })).status).toBe(401);
    expect((await sender.send('{}', { sourceId: 'als_0000000000000000000000' })).status).toBe(401);
    const of = await scrape();
    const requests = (result: string) =>
      of('alert_requests_total', `result="${result}",source_type="alertmanager"`);
    expect(requests('accepted')).toBe(1);
    expect(requests('wrong_token')).toBe(2);
    const firing = (await sender.alerts()).filter(({ status }) => status === 'firing');
    expect(firing.length).toBeGreaterThan(0);
    const severities = ['critical', 'error', 'warning', 'info'];
    const counted = severities.map(
      (severity) => of('alerts_firing', `severity="${severity}"`) ?? 0,
    );
    expect(counted.reduce((sum, count) => sum + count)).toBe(firing.length);
  });
});

describe('[INC-4.2] [INC-4.1] the watchdog', () => {
  it('is in the metrics with its problems and the last end of each job', async () => {
    await registerJobs([{ name: 'leases.expire', everyMs: 5_000 }], new Date(Date.now() - 600_000));
    await recordJobEnd('leases.expire', false);
    const watcher = { component: 'web' as const, since: new Date(Date.now() - 600_000) };
    expect((await watchInstallation(watcher)).opened).toBeGreaterThan(0);
    const of = await scrape();
    expect(of('installation_problems', 'component="worker"')).toBe(1);
    expect(of('installation_problems', 'component="job"')).toBe(0);
    expect(of('job_last_end_timestamp_seconds', 'job="leases.expire"')).toBeCloseTo(
      Date.now() / 1_000,
      -2,
    );
  });

  it.skipIf(!hasPromtool)(
    'passes Prometheus’ own linter, with incidents, checks and alerts',
    async () => {
      expect(lintMetrics(await scrapeText())).toBe('');
    },
  );
});

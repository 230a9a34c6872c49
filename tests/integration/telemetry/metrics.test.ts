/** What is counted of a chain, and what a scrape reads of the rows. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { notificationsSent } from '@/lib/deliveries/outbox/metrics';
import { expireApprovals } from '@/lib/engine/sweep/expire-approvals';
import { afterCommit } from '@/lib/platform/db/raw';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { recordPresence } from '@/lib/platform/health';
import { requestDuration } from '@/lib/platform/http/request-metrics';
import { liveHub } from '@/lib/platform/live/hub';
import { addProjectLabel } from '@/lib/platform/metrics/project-label';
import { addProcessMetrics, forgetMetrics } from '@/lib/platform/metrics/registry';
import type { BrokeredEvent } from '@/lib/protocol/confined-events';
import {
  answerScrape,
  CONTENT_TYPE,
  forgetState,
  serveMetrics,
} from '@/lib/telemetry/metrics/scrape';
import { projectNames } from '@/lib/telemetry/start';
import { makeCast } from '@/tests/support/cast/organization';
import { claimNext, play, wantsHelp } from '@/tests/support/cast/scripted-attempt';
import { useTestDatabase } from '@/tests/support/database';
import { hasPromtool, lintMetrics, lintRules } from '@/tests/support/metrics/promtool';
import { readMetrics } from '@/tests/support/metrics/read-metrics';
import { ask, decide, tierTwoRuns } from '../engine/support/approving';
import { send, startOne } from '../engine/support/running';

useTestDatabase();
afterAll(() => {
  addProjectLabel(null);
  liveHub().close();
});

const LOCAL = { authorization: null, peer: '127.0.0.1', host: '127.0.0.1', isForwarded: false };

async function scrape() {
  const { status, headers, body } = await answerScrape(LOCAL, '10', { hasState: true });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe(CONTENT_TYPE);
  const { samples } = readMetrics(body);
  /** `of('chains_total', 'outcome="fixed"')` */
  return (name: string, labels = '') =>
    samples.get(`tierwatch_${name}${labels === '' ? '' : `{${labels}}`}`);
}

beforeEach(() => {
  forgetMetrics();
  forgetState();
  addProjectLabel(null);
});

function brokered(number: number, changes: Partial<BrokeredEvent>): BrokeredEvent {
  return {
    kind: 'brokered',
    phase: 'started',
    number,
    argv: ['docker', 'restart', 'web'],
    rule: 'x',
    changes: true,
    refusal: null,
    end: null,
    ...changes,
  };
}

const ENDED = { exitCode: 0, signal: null, error: null, durationMs: 5, output: '', outputBytes: 0 };

describe('[INC-4.2] counters', () => {
  it('count a chain with its attempts, tokens and cost, each once', async () => {
    const cast = await makeCast();
    await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), {
      report: wantsHelp(),
      costUsd: 0.25,
      model: 'claude-opus-5-x',
    });
    const first = await scrape();
    expect(first('chains_total', 'outcome="healthy"')).toBe(0);
    expect(first('attempts_total', 'outcome="succeeded",tier="1"')).toBe(1);
    await play(cast.runner, await claimNext(cast.runner), {
      report: { resolved: true },
      model: 'claude-haiku-5-x',
      contextTokens: 1_500,
    });
    const last = await scrape();
    const outcomes = ['fixed', 'findings', 'healthy', 'needs_human'];
    const ended = outcomes.map((outcome) => last('chains_total', `outcome="${outcome}"`) ?? 0);
    expect(ended.reduce((sum, one) => sum + one)).toBe(1);
    const durations = outcomes.map(
      (outcome) => last('chain_duration_seconds_count', `outcome="${outcome}"`) ?? 0,
    );
    expect(durations).toEqual(ended);
    expect(last('attempts_total', 'outcome="succeeded",tier="2"')).toBe(1);
    expect(last('model_cost_usd_total', 'model="claude-opus-5",tier="1"')).toBe(0.25);
    expect(last('model_tokens_total', 'kind="input",model="claude-haiku-5"')).toBe(1_500);
  });

  it('count nothing of a transaction that is rolled back', async () => {
    const cast = await makeCast();
    const counted: string[] = [];
    const failing = inTransaction(cast.alice, async (db) => {
      afterCommit(db, () => counted.push('rolled back'));
      await db.project.findMany();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await inTransaction(cast.alice, async (db) => {
      afterCommit(db, () => {
        throw new Error('a failure that nobody waits for');
      });
      afterCommit(db, () => counted.push('committed'));
      await db.project.findMany();
      expect(counted).toEqual([]);
    });
    expect(counted).toEqual(['committed']);
  });

  it('count a command once, by what was decided and how it ended', async () => {
    const scene = await tierTwoRuns();
    const { cast, spec } = scene;
    await send(cast.runner, spec, [brokered(1, {})]);
    expect((await scrape())('commands_total', 'decision="allowed",outcome="succeeded"')).toBe(0);
    const refusal = { code: 'no_rule', message: 'No rule.' };
    await send(cast.runner, spec, [
      brokered(1, { phase: 'ended', end: ENDED }),
      brokered(2, { phase: 'refused', refusal }),
      brokered(3, { phase: 'ended', end: { ...ENDED, exitCode: 2 } }),
      brokered(4, { phase: 'left_running' }),
      brokered(4, { phase: 'ended', end: ENDED }),
      brokered(5, { phase: 'refused', refusal: { ...refusal, code: 'approval_expired' } }),
    ]);
    const of = await scrape();
    expect(of('commands_total', 'decision="allowed",outcome="succeeded"')).toBe(1);
    expect(of('commands_total', 'decision="denied",outcome="none"')).toBe(1);
    expect(of('commands_total', 'decision="allowed",outcome="failed"')).toBe(1);
    expect(of('commands_total', 'decision="allowed",outcome="left_running"')).toBe(1);
    expect(of('commands_total', 'decision="expired",outcome="none"')).toBe(1);
  });

  it('count a command that a person approved, and the wait for it', async () => {
    const scene = await tierTwoRuns();
    const { cast, spec, now } = scene;
    await ask(scene, {}, now);
    const at = new Date(now.getTime() + 45_000);
    expect((await scrape())('approvals_waiting')).toBe(1);
    await decide(cast.alice, cast, 'approve', at);
    expect(await ask(scene, {}, at)).toEqual({ verdict: 'allowed' });
    await send(cast.runner, spec, [brokered(1, { phase: 'ended', end: ENDED })]);
    forgetState();
    const of = await scrape();
    expect(of('commands_total', 'decision="approved",outcome="succeeded"')).toBe(1);
    expect(of('approval_wait_seconds_sum', 'decision="approved"')).toBe(45);
    expect(of('approval_wait_seconds_count', 'decision="approved"')).toBe(1);
    expect(of('approvals_waiting')).toBe(0);
  });

  it('count an approval that expires', async () => {
    const scene = await tierTwoRuns();
    await ask(scene, {}, scene.now);
    await expireApprovals(new Date(scene.now.getTime() + 30 * 86_400_000));
    const of = await scrape();
    expect(of('approval_wait_seconds_count', 'decision="expired"')).toBe(1);
  });

  it('have the project where the installation wants it', async () => {
    addProjectLabel(projectNames());
    const cast = await makeCast();
    await startOne(cast);
    await play(cast.runner, await claimNext(cast.runner), {});
    await expect
      .poll(async () => (await scrape())('chains_total', 'outcome="healthy",project="checkout"'))
      .toBe(1);
  });
});

describe('[INC-4.2] a scrape', () => {
  it.skipIf(!hasPromtool)(
    'passes Prometheus’ own linter, with samples in every metric',
    async () => {
      addProcessMetrics('web', '1.2.3');
      requestDuration.observe(
        { route: '/api/v1/chains/[chainId]', method: 'GET', code: '200' },
        0.1,
      );
      notificationsSent.add({ channel: 'webhook', result: 'delivered' });
      const cast = await makeCast();
      await startOne(cast);
      await play(cast.runner, await claimNext(cast.runner), {});
      const { body } = await answerScrape(LOCAL, '10', { hasState: true });
      expect(readMetrics(body).types.size).toBeGreaterThan(25);
      expect(lintMetrics(body)).toBe('');
    },
  );
});

it.skipIf(!hasPromtool)('[INC-4.2] Prometheus accepts the alert rules', () => {
  expect(lintRules('docs/monitoring/prometheus-rules.yml')).toBe('');
});

describe('[INC-4.2] the metrics of a worker', () => {
  it('are served on a port of their own, without the gauges of rows', async () => {
    const server = await serveMetrics('127.0.0.1', 0);
    try {
      const url = `http://127.0.0.1:${server.port}`;
      const answer = await fetch(`${url}/metrics`);
      expect(answer.headers.get('content-type')).toBe(CONTENT_TYPE);
      const { types } = readMetrics(await answer.text());
      expect(types.has('tierwatch_attempts_total')).toBe(true);
      expect(types.has('tierwatch_runners')).toBe(false);
      expect((await fetch(`${url}/`)).status).toBe(404);
      expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
      const forwarded = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '::1' } });
      expect(forwarded.status).toBe(401);
      expect(forwarded.headers.get('content-type')).toContain('text/plain');
      expect(await forwarded.text()).toContain('TIERWATCH_METRICS_TOKEN');
    } finally {
      await server.close();
    }
  });
});

describe('[INC-4.2] gauges of rows', () => {
  it('describe what runs, what waits and who is there', async () => {
    const cast = await makeCast();
    const now = new Date();
    await recordPresence('worker', 15, now);
    const first = await scrape();
    await startOne(cast);
    forgetState();
    const waiting = await scrape();
    const attempts = (of: typeof waiting) => of('queue_jobs', 'queue="attempts",state="waiting"');
    expect(attempts(waiting)).toBe((attempts(first) ?? 0) + 1);
    expect(waiting('component_last_seen_timestamp_seconds', 'component="worker"')).toBeCloseTo(
      now.getTime() / 1_000,
      2,
    );
    expect(waiting('runners', 'state="never"')).toBe(0);
    const running = (of: typeof waiting) => of('sessions_running', 'tier="1"') ?? 0;
    const spec = await claimNext(cast.runner);
    await send(cast.runner, spec, [
      { kind: 'process', phase: 'started', pid: 1, code: null, signal: null },
    ]);
    forgetState();
    const last = await scrape();
    expect(running(last)).toBe(running(waiting) + 1);
    expect(attempts(last)).toBe(attempts(first));
    expect(last('state_read_success')).toBe(1);
  });

  it('say how long the oldest work has been due', async () => {
    const cast = await makeCast();
    await startOne(cast);
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({ data: { queuedAt: new Date(Date.now() - 600_000) } }),
    );
    const of = await scrape();
    expect(of('queue_oldest_job_age_seconds', 'queue="attempts"')).toBeGreaterThan(590);
    expect(of('queue_oldest_job_age_seconds', 'queue="settlements"')).toBe(0);
  });

  it('say that nothing is due while results wait for their next try', async () => {
    const cast = await makeCast();
    await startOne(cast);
    await claimNext(cast.runner);
    const [resultAt, settleRetryAt] = [
      new Date(Date.now() - 600_000),
      new Date(Date.now() + 600_000),
    ];
    await inTransaction(cast.alice, (db) =>
      db.attempt.updateMany({ data: { result: {}, resultAt, settleRetryAt } }),
    );
    const of = await scrape();
    expect(of('queue_jobs', 'queue="settlements",state="delayed"')).toBe(1);
    expect(of('queue_oldest_job_age_seconds', 'queue="settlements"')).toBe(0);
  });

  it('are read once for scrapes at the same time', async () => {
    const cast = await makeCast();
    const [one] = await Promise.all([scrape(), scrape()]);
    await startOne(cast);
    const soon = await scrape();
    const name = ['queue_jobs', 'queue="attempts",state="waiting"'] as const;
    expect(soon(...name)).toBe(one(...name));
  });
});

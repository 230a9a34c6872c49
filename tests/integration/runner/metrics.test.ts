/** What a runner says about itself to its own host. */
import http from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { traceparentOf } from '@/lib/engine/trace-ids';
import { forgetMetrics } from '@/lib/platform/metrics/registry';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { createCheckPlan } from '@/workers/runner/checks/check-plan';
import { parseRunnerEnv } from '@/workers/runner/env';
import { serveRunnerMetrics } from '@/workers/runner/runner-metrics';
import { type RunnerHost, startRunnerHost } from '../../support/fake-control-plane/runner-host';
import { hasPromtool, lintMetrics } from '../../support/metrics/promtool';
import { readMetrics } from '../../support/metrics/read-metrics';

const cleanUp: (() => unknown)[] = [];
beforeEach(forgetMetrics);
afterEach(async () => {
  for (const end of cleanUp.splice(0).toReversed()) await end();
});

/** Node's fetch would set the `Host` header itself. */
function get(port: number, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; type: string; body: string }>((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path: '/metrics', headers }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => {
          body += chunk.toString();
        });
        response.on('end', () => {
          const { statusCode = 0, headers: given } = response;
          resolve({ status: statusCode, type: given['content-type'] ?? '', body });
        });
      })
      .on('error', reject);
  });
}

async function scrape(port: number) {
  const { samples } = readMetrics((await get(port)).body);
  return (name: string, labels = '') =>
    samples.get(`tierwatch_runner_${name}${labels === '' ? '' : `{${labels}}`}`);
}

async function startHost(env: Record<string, string>, agent = 'init(); result();') {
  const host: RunnerHost = await startRunnerHost({ agent, env });
  cleanUp.push(() => host.close());
  return host;
}

describe('[INC-4.2] the metrics of a runner', () => {
  it('are served on loopback, with its attempts, slots and heartbeat', async () => {
    const port = await findFreePort('127.0.0.1');
    const host = await startHost({ TIERWATCH_RUNNER_METRICS_PORT: String(port) });
    const first = await scrape(port);
    expect(first('attempts_total', 'result="started"')).toBe(0);
    expect(first('slots')).toBe(4);
    await host.run();
    await expect.poll(async () => (await scrape(port))('attempts', 'state="held"')).toBe(0);
    const last = await scrape(port);
    expect(last('attempts_total', 'result="started"')).toBe(1);
    expect(last('attempts', 'state="running"')).toBe(0);
    expect(last('last_heartbeat_timestamp_seconds')).toBeGreaterThan(Date.now() / 1_000 - 120);
    const { samples } = readMetrics((await get(port)).body);
    expect([...samples.keys()].some((key) => key.startsWith('nodejs_eventloop_lag_'))).toBe(true);
    if (hasPromtool) expect(lintMetrics((await get(port)).body)).toBe('');
  });

  it('are for this machine alone', async () => {
    const port = await findFreePort('127.0.0.1');
    const served = await serveRunnerMetrics(port, () => ({
      attempts: { running: 0, held: 0 },
      slots: 1,
      checks: { scheduled: 0, waiting: 0, running: 0, unsent: 0 },
      heartbeatAt: 0,
    }));
    cleanUp.push(served.close);
    expect((await get(port)).type).toBe('text/plain; version=0.0.4; charset=utf-8');
    const foreign: Record<string, string>[] = [
      { host: 'rebound.example' },
      { 'x-forwarded-for': '203.0.113.9' },
    ];
    for (const headers of foreign) {
      const { status, body } = await get(port, headers);
      expect(status).toBe(403);
      expect(body).toContain('loopback');
      expect(body).not.toContain('tierwatch_runner');
    }
  });

  it('are off by default, and a port that is taken costs nothing else', async () => {
    const given = { TIERWATCH_URL: 'http://127.0.0.1:1' };
    expect(parseRunnerEnv(given).metricsPort).toBe(0);
    for (const port of ['70000', 'x', '1.5']) {
      const source = { ...given, TIERWATCH_RUNNER_METRICS_PORT: port };
      expect(() => parseRunnerEnv(source)).toThrow('TIERWATCH_RUNNER_METRICS_PORT');
    }
    const taken = http.createServer().listen(0, '127.0.0.1');
    cleanUp.push(() => taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const host = await startHost({ TIERWATCH_RUNNER_METRICS_PORT: String(port) });
    expect((await host.run()).results).toHaveLength(1);
  });

  it('count its checks, and say how many wait, run and are unsent', async () => {
    const held: http.ServerResponse[] = [];
    const server = http.createServer((_request, response) => void held.push(response));
    server.listen(0, '127.0.0.1');
    cleanUp.push(() => {
      server.closeAllConnections();
      server.close();
    });
    await new Promise((resolve) => server.once('listening', resolve));
    const { port: target } = server.address() as { port: number };
    const idOf = (number: number) =>
      `00000000-0000-4000-8000-${String(number).padStart(6, '0')}000000`;
    const checks = Array.from({ length: 253 }, (_, number) => ({
      ...{ checkId: idOf(number), service: 'web', everySeconds: 300 },
      check: { type: 'http', target: `http://127.0.0.1:${target}/`, timeoutSeconds: 60 },
    }));
    let isAway = true;
    const plan = createCheckPlan({
      processId: '01930000-0000-4000-8000-00000000000a',
      url: `http://127.0.0.1:${target}`,
      commands: { of: () => async () => ({ refusal: 'none may run here.' }) },
      controlPlane: {
        checkPlan: async () => ({
          digest: 'one',
          projects: [{ projectId: idOf(0), epoch: 1, checks }],
        }),
        async sendCheckResults() {
          if (isAway) throw new Error('away');
          return { refused: [], notStored: [] };
        },
      },
    });
    cleanUp.push(plan.close);
    const served = await serveRunnerMetrics(0, () => ({
      attempts: { running: 0, held: 0 },
      slots: 1,
      checks: plan.counts(),
      heartbeatAt: 0,
    }));
    cleanUp.push(served.close);
    plan.follow('one');
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(250);
    await expect
      .poll(async () => (await scrape(served.port))('checks', 'state="waiting"'), {
        timeout: 60_000,
      })
      .toBe(3);
    const busy = await scrape(served.port);
    expect(busy('checks', 'state="running"')).toBe(250);
    expect(busy('checks', 'state="scheduled"')).toBe(253);
    for (const response of held.splice(0)) response.end('ok');
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(3);
    for (const response of held.splice(0)) response.end('ok');
    await expect
      .poll(async () => (await scrape(served.port))('checks', 'state="unsent"'), {
        timeout: 60_000,
      })
      .toBe(253);
    const of = await scrape(served.port);
    expect(of('check_results_total', 'kind="http",result="healthy"')).toBe(253);
    isAway = false;
    await expect
      .poll(async () => (await scrape(served.port))('checks', 'state="unsent"'), {
        timeout: 60_000,
      })
      .toBe(0);
  });
});

describe('[INC-4.2] the agent of an attempt', () => {
  const AGENT = `init(); text('trace ' + process.env.TRACEPARENT); result();`;

  it.each([
    [
      'gets the trace context of its attempt',
      traceparentOf('019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b', 'a'),
    ],
    ['gets none where nothing exports traces', undefined],
  ])('%s', async (_what, traceparent) => {
    const host = await startHost({ TRACEPARENT: 'of-the-host' }, AGENT);
    const attempt = await host.run(traceparent === undefined ? {} : { traceparent });
    const texts = attempt.events().flatMap((event) => (event.kind === 'text' ? [event.text] : []));
    expect(texts).toEqual([`trace ${traceparent}`]);
  });
});

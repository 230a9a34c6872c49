/** What Prometheus scrapes of real processes, and the trace that a backend gets of a real chain. */

import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { traceIdOf } from '@/lib/engine/trace-ids';
import { requireId } from '@/lib/platform/ids';
import { breakDemo } from '@/lib/projects/demo-service/client';
import { seedDemo } from '@/scripts/bootstrap/demo-account.mjs';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { eventually } from '../bootstrap/eventually';
import { hasPromtool, lintMetrics } from '../support/metrics/promtool';
import { readMetrics } from '../support/metrics/read-metrics';
import { startOtlpReceiver } from '../support/otlp/receiver';
import { treeOf } from '../support/otlp/tree';
import { accountOf } from '../support/system/account';
import { type ApiClient, apiClient } from '../support/system/api-client';
import { runChain, sessionsOf } from '../support/system/chain-run';
import { useSystem } from '../support/system/use-system';

const PROJECT = 'checkout';
const receiver = await startOtlpReceiver();
const workerPort = await findFreePort('127.0.0.1');

const system = useSystem({
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    // So that what comes was sent because a process ends.
    OTEL_METRIC_EXPORT_INTERVAL: '3600000',
    TIERWATCH_METRICS_PORT: String(workerPort),
    TIERWATCH_METRICS_PROJECT_LABEL: 'true',
    // The pauses are for people who watch.
    TIERWATCH_RUNNER_PASS_ENV: 'TIERWATCH_DEMO_PACE_MS',
    TIERWATCH_DEMO_PACE_MS: '0',
  },
});

let api: ApiClient;

beforeAll(async () => {
  system.demoService.start();
  await eventually('the demo service is ready', () =>
    system.demoService.output().includes('demo service ready'),
  );
  await seedDemo(system.workerEnvironment, path.join(system.dataDir, 'runner'));
  const file = readFileSync(path.join(system.dataDir, 'demo-account.json'), 'utf8');
  const seeded = JSON.parse(file) as { email: string; organization: string };
  api = apiClient(system.url, (await accountOf(seeded.email, seeded.organization)).token);
  system.localRunner.start();
  const schedule = { kind: 'manual', timeZone: 'UTC' };
  expect((await api.send('PATCH', `projects/${PROJECT}`, { schedule })).status).toBe(200);
});
afterAll(() => receiver.close());

/** As a scraper asks: Node's fetch would set headers of its own. */
function get(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; type: string; body: string }>((resolve, reject) => {
    http
      .get(url, { headers }, (response) => {
        response.setEncoding('utf8');
        let body = '';
        response.on('data', (chunk: string) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            body,
          }),
        );
      })
      .on('error', reject);
  });
}

const places = () => ({
  web: `${system.url}/metrics`,
  worker: `http://127.0.0.1:${workerPort}/metrics`,
});

describe('[INC-4.2] a chain that tier 2 has repaired', () => {
  it('is one trace, exported by the process that ended it', async () => {
    expect(await breakDemo(system.dataDir, 'crash')).toMatchObject({ ok: true });
    const chain = await runChain(api, PROJECT);
    expect(chain.outcome).toBe('fixed');
    const sessions = await sessionsOf(api, chain);
    const traceId = traceIdOf(requireId('chn', chain.id));
    const own = () => receiver.spans.filter((span) => span.traceId === traceId);
    await eventually('the trace is exported', () => own().some((span) => span.parentSpanId === ''));
    const tree = treeOf(own());
    const agent = 'tierwatch-demo-agent';
    expect(tree.filter((line) => !/^ {6}/.test(line))).toEqual([
      `invoke_agent ${PROJECT}`,
      '  invoke_agent tier-1',
      `    ${agent}`,
      '  invoke_agent tier-2',
      `    ${agent}`,
    ]);
    const calls = sessions.flatMap(({ attempts }) => attempts).length;
    expect(tree.filter((line) => line.includes('execute_tool')).length).toBeGreaterThan(calls);
    expect(tree.filter((line) => line.includes(' chat ')).length).toBeGreaterThan(0);
    expect(new Set(own().map(({ resource }) => resource['service.name'])).size).toBe(1);
    // Next makes spans of requests wherever it finds a tracer.
    expect(receiver.spans.map(({ scope }) => scope)).not.toContain('next.js');
  });

  it('is exported, with the last metrics, when the web process is stopped right after it', async () => {
    const chain = await runChain(api, PROJECT);
    await system.web.end();
    const traceId = traceIdOf(requireId('chn', chain.id));
    const own = receiver.spans.filter((span) => span.traceId === traceId);
    expect(own.map(({ name }) => name)).toContain('invoke_agent tier-1');
    expect(receiver.metrics.map(({ resource }) => resource['service.name'])).toContain(
      'tierwatch-web',
    );
    expect(receiver.metrics.map(({ name }) => name)).toContain('tierwatch_runners');
    system.web.start();
    await system.webAnswers();
  });
});

describe('[INC-4.2] a scrape', () => {
  beforeAll(async () => {
    // After the web process was started again.
    expect((await runChain(api, PROJECT)).outcome).toBe('healthy');
    await get(`${system.url}/no-such-page/of/ours/at/all/${'x'.repeat(50)}`);
  });

  it('of web and worker together has every metric once, by the role that knows it', async () => {
    const [web, worker] = await Promise.all(
      [places().web, places().worker].map(async (url) => {
        const { status, type, body } = await get(url, {
          'x-prometheus-scrape-timeout-seconds': '10',
        });
        expect(status, body).toBe(200);
        expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
        return readMetrics(body);
      }),
    );
    const version = JSON.parse(readFileSync('package.json', 'utf8')).version;
    expect(web?.samples.get(`tierwatch_build_info{component="web",version="${version}"}`)).toBe(1);
    expect(
      worker?.samples.get(`tierwatch_build_info{component="worker",version="${version}"}`),
    ).toBe(1);
    expect(web?.samples.get('tierwatch_state_read_success')).toBe(1);
    expect(web?.samples.get('tierwatch_runners{state="online"}')).toBe(1);
    expect(worker?.types.has('tierwatch_runners')).toBe(false);
    const chains = [web, worker].map(
      (each) =>
        each?.samples.get(`tierwatch_chains_total{outcome="healthy",project="${PROJECT}"}`) ?? 0,
    );
    expect(chains.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    for (const component of ['worker', 'runner_api']) {
      const name = `tierwatch_component_last_seen_timestamp_seconds{component="${component}"}`;
      expect(web?.samples.get(name)).toBeGreaterThan(Date.now() / 1_000 - 60);
    }
  });

  it('names the routes of requests, and never their paths', async () => {
    const { samples } = readMetrics((await get(places().web)).body);
    const routes = new Set(
      [...samples.keys()].flatMap(
        (key) => /_request_duration.*route="([^"]*)"/.exec(key)?.[1] ?? [],
      ),
    );
    expect([...routes]).toEqual(
      expect.arrayContaining(['/api/v1/chains/[chainId]', '/api/runner/v1/events', 'other']),
    );
    expect([...routes].filter((route) => /chn_|no-such-page/.test(route))).toEqual([]);
  });

  it('is for this machine alone while there is no token', async () => {
    const foreign: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.9' },
      { host: 'tierwatch.example' },
    ];
    for (const url of Object.values(places())) {
      for (const headers of foreign) {
        const { status, type, body } = await get(url, headers);
        expect([status, type], url).toEqual([401, 'text/plain; charset=utf-8']);
        expect(body).toContain('TIERWATCH_METRICS_TOKEN');
      }
    }
  });

  it.skipIf(!hasPromtool)('passes Prometheus’ own linter', async () => {
    for (const url of Object.values(places())) {
      expect(lintMetrics((await get(url)).body), url).toBe('');
    }
  });
});

describe('[INC-4.2] a process that stops', () => {
  it('sends its last metrics', async () => {
    receiver.metrics.length = 0;
    await system.worker.end();
    const names = receiver.metrics.map(({ name }) => name);
    expect(names).toContain('tierwatch_attempts_total');
    system.worker.start();
  });
});

/** What a scrape of this process answers. */

import '@/lib/paging/metrics';
import '@/lib/deliveries/outbox/metrics';
import '@/lib/signals/metrics';
import '@/lib/engine/metrics';
import '@/lib/incidents/metrics';
import '@/lib/monitoring/metrics';
import '@/lib/watchdog/metrics';
import { Gauge, Registry } from 'prom-client';
import { env } from '@/lib/platform/env';
import { type MetricsServer, openMetricsServer } from '@/lib/platform/http/metrics-server';
import { logger } from '@/lib/platform/logger';
import { makeDeclaredMetrics } from '@/lib/platform/metrics/instruments';
import { metricsRegistry } from '@/lib/platform/metrics/registry';
import { within } from '@/lib/platform/within';
import { isLoopback, type MetricsRequest, refusalOfMetrics } from './access';
import { readStateInTransaction, type Sample, STATE_GAUGES } from './state-data';

/** Prometheus 3 refuses an answer without exactly one it knows. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface ScrapeAnswer {
  status: 200 | 401;
  headers: Record<string, string>;
  body: string;
}

/** What a process exposes in addition to what it counts itself. */
interface Exposed {
  /** The gauges that describe rows: of one role only, or they would be added up twice. */
  hasState: boolean;
}

/**
 * Answers a scrape in Prometheus' text format 0.0.4, or with 401 and the reason as text.
 *
 * @param timeout the header `X-Prometheus-Scrape-Timeout-Seconds`
 */
export async function answerScrape(
  request: MetricsRequest,
  timeout: string | null,
  exposed: Exposed,
): Promise<ScrapeAnswer> {
  const { metrics, publicUrl } = env();
  const refusal = refusalOfMetrics(request, {
    token: metrics.token,
    isLocal: isLoopback(new URL(publicUrl).hostname),
  });
  if (refusal !== null) {
    return {
      status: 401,
      headers: { ...PLAIN, 'www-authenticate': 'Bearer realm="metrics"' },
      body: refusal,
    };
  }
  const registries = await readRegistries(scrapeTimeoutMs(timeout), exposed);
  const body = await Registry.merge(registries).metrics();
  return {
    status: 200,
    headers: { 'content-type': CONTENT_TYPE, 'cache-control': 'no-store' },
    body,
  };
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };

/** Returns everything that the process exposes, its rows' state included where it has that. */
export async function readRegistries(
  timeoutMs: number,
  { hasState }: Exposed,
): Promise<Registry[]> {
  makeDeclaredMetrics();
  return hasState ? [metricsRegistry(), await readState(timeoutMs)] : [metricsRegistry()];
}

/** Prometheus' own default. */
const DEFAULT_SECONDS = 10;

/** The least and the most that is believed. */
const MIN_SECONDS = 1;

const MAX_SECONDS = 30;

/** What is left of it for writing the answer and for its way. */
const SHARE = 0.8;

/**
 * Returns how long the answer to a scrape may take, in milliseconds.
 *
 * @param header `X-Prometheus-Scrape-Timeout-Seconds`; null if it is missing
 */
export function scrapeTimeoutMs(header: string | null): number {
  const given = header === null || header.trim() === '' ? DEFAULT_SECONDS : Number(header);
  const seconds = Number.isFinite(given) ? given : DEFAULT_SECONDS;
  return Math.min(Math.max(seconds, MIN_SECONDS), MAX_SECONDS) * SHARE * 1_000;
}

/**
 * Listens for `GET /metrics`.
 *
 * @throws Error of Node if it can't listen there, such as EADDRINUSE
 */
export function serveMetrics(host: string, port: number): Promise<MetricsServer> {
  return openMetricsServer(host, port, ({ timeout, ...request }) =>
    answerScrape(request, timeout, { hasState: false }),
  );
}

/** Several Prometheus servers, and someone who looks, cost one read. */
const FRESH_MS = 5_000;

interface Kept {
  /** When it was begun, in milliseconds since 1970. */
  at: number;
  samples: Promise<Sample[][]>;
}

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchStateGauges?: Kept | undefined };

/**
 * Returns the gauges that describe rows, with `tierwatch_state_read_success` 1. If they can't be read
 * within `timeoutMs`, it is 0 and the others are missing, since an old value would look like a current one.
 */
export async function readState(
  timeoutMs: number,
  now = new Date(),
  read: typeof readStateInTransaction = readStateInTransaction,
): Promise<Registry> {
  const registry = new Registry();
  const success = new Gauge({
    name: 'tierwatch_state_read_success',
    help: '1 if the gauges that describe rows could be read from PostgreSQL, otherwise 0 and they are missing.',
    registers: [registry],
  });
  try {
    const samples = await within(timeoutMs, kept(timeoutMs, now, read));
    for (const [index, { name, help, labels }] of STATE_GAUGES.entries()) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: Object.keys(labels),
        registers: [registry],
      });
      for (const sample of samples[index] ?? []) gauge.set(sample.labels, sample.value);
    }
    success.set(1);
  } catch (error) {
    logger.warn({ error: String(error) }, 'metrics of rows not read');
    success.set(0);
  }
  return registry;
}

/** What is being read, or was read a moment ago. A failure isn't kept. */
function kept(timeoutMs: number, now: Date, read: typeof readStateInTransaction) {
  const known = held.tierwatchStateGauges;
  if (known && now.getTime() - known.at < FRESH_MS) return known.samples;
  const samples = read(timeoutMs, now);
  const entry = { at: now.getTime(), samples };
  held.tierwatchStateGauges = entry;
  samples.catch(() => {
    if (held.tierwatchStateGauges === entry) held.tierwatchStateGauges = undefined;
  });
  return samples;
}

/** For tests, which begin with other rows. */
export function forgetState(): void {
  held.tierwatchStateGauges = undefined;
}

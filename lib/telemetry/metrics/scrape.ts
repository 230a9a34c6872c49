/** What a scrape of this process answers. */

import '@/lib/paging/metrics';
import '@/lib/deliveries/outbox/metrics';
import '@/lib/signals/metrics';
import '@/lib/engine/metrics';
import '@/lib/incidents/metrics';
import '@/lib/monitoring/metrics';
import '@/lib/watchdog/metrics';
import { Registry } from 'prom-client';
import { env } from '@/lib/platform/env';
import { type MetricsServer, openMetricsServer } from '@/lib/platform/http/metrics-server';
import { makeDeclaredMetrics } from '@/lib/platform/metrics/instruments';
import { metricsRegistry } from '@/lib/platform/metrics/registry';
import { isLoopback, type MetricsRequest, refusalOfMetrics } from './access';
import { readState } from './state';

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
const LEAST_SECONDS = 1;

const MOST_SECONDS = 30;

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
  return Math.min(Math.max(seconds, LEAST_SECONDS), MOST_SECONDS) * SHARE * 1_000;
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

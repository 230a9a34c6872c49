/** What a scrape of this process answers. */

import { Registry } from 'prom-client';
import { env } from '@/lib/platform/env';
import { makeDeclaredMetrics } from '@/lib/platform/metrics/instruments';
import { metricsRegistry } from '@/lib/platform/metrics/registry';
import '@/lib/paging/metrics';
import '@/lib/deliveries/outbox/metrics';
import '@/lib/signals/metrics';
import '@/lib/engine/metrics';
import '@/lib/incidents/metrics';
import '@/lib/monitoring/metrics';
import '@/lib/watchdog/metrics';
import { isLoopback, type MetricsRequest, refusalOfMetrics } from './access';
import { scrapeTimeoutMs } from './scrape-timeout';
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

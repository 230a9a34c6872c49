/** Serves the metrics of a process that has no web server of its own. */

import { type MetricsServer, openMetricsServer } from '@/lib/platform/http/metrics-server';
import { answerScrape } from './scrape';

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

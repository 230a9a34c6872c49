/** A web server for the metrics of a process that has none of its own. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { logger } from '@/lib/platform/logger';
import { FORWARDING_HEADERS } from './client-address';

/** A scraper sends a request and waits. */
const REQUEST_MS = 10_000;
const MAX_CONNECTIONS = 20;

export interface MetricsServer {
  /** The port it listens on, also where 0 was requested. */
  port: number;
  close(): Promise<void>;
}

export interface ScrapeRequest {
  authorization: string | null;
  /** Address of the other end; null if it isn't known. */
  peer: string | null;
  /** The `Host` header. */
  host: string | null;
  /** Whether a header says that a proxy has forwarded the request. */
  isForwarded: boolean;
  /** The header `X-Prometheus-Scrape-Timeout-Seconds`. */
  timeout: string | null;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Listens for `GET /metrics`.
 *
 * @throws Error of Node if it can't listen there, such as EADDRINUSE
 */
export async function openMetricsServer(
  host: string,
  port: number,
  scrape: (request: ScrapeRequest) => Promise<Answer>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    void answer(request, response, scrape).catch((error: unknown) => {
      logger.warn({ error: String(error) }, 'metrics not answered');
      response.destroy();
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = REQUEST_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  server.on('error', (error) => logger.warn({ error: String(error) }, 'metrics server failed'));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  scrape: (request: ScrapeRequest) => Promise<Answer>,
): Promise<void> {
  const { headers, method, url = '' } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  if (url.split('?', 1)[0] !== '/metrics' || !isRead) {
    response.writeHead(isRead ? 404 : 405, { 'content-type': 'text/plain; charset=utf-8' });
    response.end('Only GET /metrics is answered here.\n');
    return;
  }
  const one = (name: string) => [headers[name]].flat()[0] ?? null;
  const scraped = await scrape({
    authorization: one('authorization'),
    peer: request.socket.remoteAddress ?? null,
    host: one('host'),
    isForwarded: FORWARDING_HEADERS.some((name) => name in headers),
    timeout: one('x-prometheus-scrape-timeout-seconds'),
  });
  response.writeHead(scraped.status, scraped.headers);
  response.end(method === 'HEAD' ? undefined : scraped.body);
}

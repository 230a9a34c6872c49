/** Measures the requests of a web process where Node receives them, so that no route can be forgotten. */

import { channel } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { logger } from '../logger';
import { histogram, OPEN } from '../metrics/instruments';
import { routesManifestSchema, routeTemplates } from './route-templates';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export const requestDuration = histogram({
  name: 'tierwatch_http_request_duration_seconds',
  help: 'Time from the receipt of a request to the end of its answer, by route. Event streams are not measured.',
  labels: { route: OPEN, method: METHODS, code: OPEN },
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
});

/**
 * Measures every request from now on.
 *
 * @param templateOf names the route of an address
 * @returns a function that ends this
 */
export function measureRequests(templateOf = readTemplates()): () => void {
  const startedAt = new WeakMap<IncomingMessage, number>();
  const note = (message: unknown) => {
    startedAt.set((message as { request: IncomingMessage }).request, performance.now());
  };
  const measure = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    const since = startedAt.get(request);
    // A stream lasts as long as its page is open, which says nothing of the server.
    const isStream = String(response.getHeader('content-type')).startsWith('text/event-stream');
    if (since === undefined || isStream) return;
    const method = METHODS.find((each) => each === request.method) ?? 'GET';
    requestDuration.observe(
      { route: templateOf(request.url ?? ''), method, code: String(response.statusCode) },
      (performance.now() - since) / 1_000,
    );
  };
  const [requests, answers] = [
    channel('http.server.request.start'),
    channel('http.server.response.finish'),
  ];
  requests.subscribe(note);
  answers.subscribe(measure);
  return () => {
    requests.unsubscribe(note);
    answers.unsubscribe(measure);
  };
}

/** By the build that this process serves; without one, every route is `other`. */
function readTemplates(): (url: string) => string {
  const file = path.join(process.cwd(), '.next', 'routes-manifest.json');
  try {
    return routeTemplates(routesManifestSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
  } catch (error) {
    logger.warn({ error: String(error) }, 'routes of the build not read; metrics don’t name them');
    return () => 'other';
  }
}

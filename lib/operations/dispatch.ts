import type { RouteHandler } from '@/lib/api/route';
import type { Method } from '@/lib/api/route-description';
import { NotFoundError } from '@/lib/platform/errors';
import { HttpError, problemResponse } from '@/lib/platform/http/problem';
import { requestIdOf } from '@/lib/platform/http/request-headers';
import { nameSubroutes } from '@/lib/platform/http/route-templates';
import { OPERATIONS } from './registry';

type Params = Record<string, string>;
interface Place {
  path: string;
  segments: readonly string[];
  methods: Map<Method, RouteHandler>;
}

const PREFIX = '/api/v1/';

/** Resources that were removed, with what to do instead. */
const REMOVED = new Map([
  [
    'oncall-schedules',
    'On-call schedules were removed. Enter the iCal address of who is on call in a step of a paging policy (`calendarUrl`): PUT /api/v1/paging-policies/{policyId}.',
  ],
]);
const PLACES: readonly Place[] = places();

// The page is Next's name for the route that calls `dispatch`.
nameSubroutes(`${PREFIX}[...path]`, (path) => {
  const found = findPlace(path.slice(PREFIX.length).split('/'));
  return found ? found.place.path.replaceAll('{', '[').replaceAll('}', ']') : null;
});

/**
 * Answers a request by the operation of its method and path; 404 and 405 as problems.
 *
 * @param segments the parts of the path below /api/v1, decoded
 */
export async function dispatch(request: Request, segments: readonly string[]): Promise<Response> {
  const removed = REMOVED.get(segments[0] ?? '');
  if (removed) return refuse(request, new HttpError(410, removed));
  const found = findPlace(segments);
  if (!found) return refuse(request, notFound(request));
  const { place, params } = found;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const handler = place.methods.get(method as Method);
  if (handler) return handler(request, { params: Promise.resolve(params) });
  const allow = [...place.methods.keys(), 'OPTIONS'].join(', ');
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } });
  const message = `${new URL(request.url).pathname} accepts ${allow}.`;
  const response = refuse(request, new HttpError(405, message));
  response.headers.set('allow', allow);
  return response;
}

function notFound(request: Request): NotFoundError {
  const { pathname } = new URL(request.url);
  return new NotFoundError(
    `The API has no address ${pathname}. See /docs/reference for those it has.`,
  );
}

function refuse(request: Request, error: Error): Response {
  return problemResponse(error, requestIdOf(request.headers));
}

function findPlace(given: readonly string[]): { place: Place; params: Params } | null {
  for (const place of PLACES) {
    const params = match(place.segments, given);
    if (params) return { place, params };
  }
  return null;
}

function match(segments: readonly string[], given: readonly string[]): Params | null {
  if (segments.length !== given.length) return null;
  const params: Params = {};
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? '';
    if (segment.startsWith('{')) params[segment.slice(1, -1)] = value;
    else if (segment !== value) return null;
  }
  return params;
}

/** `/runners/updates` before `/runners/{runnerId}`: a name wins over a parameter. */
function places(): Place[] {
  const byPath = new Map<string, Place>();
  for (const { handler } of OPERATIONS) {
    const { method, path } = handler.description;
    const segments = path.slice(PREFIX.length).split('/');
    const place = byPath.get(path) ?? { path, segments, methods: new Map() };
    byPath.set(path, place);
    place.methods.set(method, handler);
  }
  const parameters = ({ segments }: Place) =>
    segments.filter((segment) => segment.startsWith('{')).length;
  return [...byPath.values()].sort((one, other) => parameters(one) - parameters(other));
}

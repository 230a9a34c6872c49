import { NotFoundError } from '@/lib/platform/errors';
import { HttpError, problemResponse } from '@/lib/platform/http/problem';
import { requestIdOf } from '@/lib/platform/http/request-headers';
import { nameSubroutes } from '@/lib/platform/http/route-templates';
import type { RouteHandler } from './route';
import type { Method } from './route-description';

type Params = Record<string, string>;
interface Place {
  path: string;
  segments: readonly string[];
  methods: Map<Method, RouteHandler>;
}

/** Answers a request, given the decoded parts of its path below the prefix. */
type Dispatch = (request: Request, segments: readonly string[]) => Promise<Response>;

/**
 * Returns what answers a request by the handler of its method and path; 404 and 405 as problems.
 *
 * @param prefix of all paths, such as `/api/v1/`; Next's name for the route is `<prefix>[...path]`
 */
export function dispatcher(prefix: string, handlers: readonly RouteHandler[]): Dispatch {
  const places = placesOf(prefix, handlers);

  nameSubroutes(`${prefix}[...path]`, (path) => {
    const found = findPlace(places, path.slice(prefix.length).split('/'));
    return found ? found.place.path.replaceAll('{', '[').replaceAll('}', ']') : null;
  });

  return async (request, segments) => {
    const found = findPlace(places, segments);
    if (!found) return refuse(request, notFound(request));
    const { place, params } = found;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const handler = place.methods.get(method as Method);
    if (handler) return handler(request, { params: Promise.resolve(params) });
    const allow = [...place.methods.keys(), 'OPTIONS'].join(', ');
    if (request.method === 'OPTIONS')
      return new Response(null, { status: 204, headers: { allow } });
    const message = `${new URL(request.url).pathname} accepts ${allow}.`;
    const response = refuse(request, new HttpError(405, message));
    response.headers.set('allow', allow);
    return response;
  };
}

function notFound(request: Request): NotFoundError {
  const { pathname } = new URL(request.url);
  return new NotFoundError(
    `The API has no address ${pathname}. See /docs/reference for those it has.`,
  );
}

/** Returns an error as a problem (RFC 9457). */
export function refuse(request: Request, error: Error): Response {
  return problemResponse(error, requestIdOf(request.headers));
}

function findPlace(
  places: readonly Place[],
  given: readonly string[],
): { place: Place; params: Params } | null {
  for (const place of places) {
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
function placesOf(prefix: string, handlers: readonly RouteHandler[]): Place[] {
  const byPath = new Map<string, Place>();
  for (const handler of handlers) {
    const { method, path } = handler.description;
    const segments = path.slice(prefix.length).split('/');
    const place = byPath.get(path) ?? { path, segments, methods: new Map() };
    byPath.set(path, place);
    place.methods.set(method, handler);
  }
  const parameters = ({ segments }: Place) =>
    segments.filter((segment) => segment.startsWith('{')).length;
  return [...byPath.values()].sort((one, other) => parameters(one) - parameters(other));
}

import { readdirSync } from 'node:fs';
import path from 'node:path';
import * as attemptRoutes from '@/app/api/runner/v1/attempt-routes';
import * as hostRoutes from '@/app/api/runner/v1/host-routes';
import type { RouteHandler } from '@/lib/api/route';
import { METHODS, type Method } from '@/lib/api/route-description';
import { dispatch } from '@/lib/operations/dispatch';
import { OPERATIONS } from '@/lib/operations/registry';

const API = path.resolve(import.meta.dirname, '../../../../app/api');

export interface FoundRoute {
  method: Method;
  /** As the folder says it: `/api/v1/projects/{projectId}`. */
  path: string;
  handler: RouteHandler;
}

export type ApiFolder = 'v1' | 'runner/v1' | 'mcp' | 'signals' | 'heartbeats';

const OF_RUNNERS = [...Object.values(attemptRoutes), ...Object.values(hostRoutes)];
const DISPATCHED: Partial<Record<ApiFolder, readonly RouteHandler[]>> = {
  v1: OPERATIONS.map(({ handler }) => handler),
  'runner/v1': OF_RUNNERS,
};

/** Every route below a folder of app/api: those that a catch-all dispatches, and what Next finds by its folder. */
export async function findRoutes(below: ApiFolder = 'v1'): Promise<FoundRoute[]> {
  // A catch-all dispatches, or answers the addresses that no route has.
  const files = readdirSync(path.join(API, below), { recursive: true, encoding: 'utf8' }).filter(
    (file) => /(^|\/)route\.ts$/.test(file) && !file.includes('[...'),
  );
  const found: FoundRoute[] = (DISPATCHED[below] ?? []).map((handler) => {
    const { method, path: place } = handler.description;
    return { method, path: place, handler };
  });
  for (const file of files) {
    const module: Partial<Record<Method, RouteHandler>> = await import(path.join(API, below, file));
    const folder = path.dirname(file).replaceAll('[', '{').replaceAll(']', '}');
    for (const method of METHODS) {
      const handler = module[method];
      const place = folder === '.' ? `/api/${below}` : `/api/${below}/${folder}`;
      if (handler) found.push({ method, path: place, handler });
    }
  }
  return found;
}

export interface Call {
  token?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export type Api = (method: Method, pathAndQuery: string, call?: Call) => Promise<Response>;

/** Finds the handler of a request, as Next does. */
export function dispatcher(routes: readonly FoundRoute[]): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    for (const route of routes) {
      const params = route.method === method ? matchPath(route.path, pathname) : null;
      if (params) return route.handler(request, { params: Promise.resolve(params) });
    }
    throw new Error(`There is no route ${request.method} ${pathname}.`);
  };
}

/** Calls the REST API as Next does, by the path under /api/v1. */
export async function openApi(): Promise<Api> {
  const own = dispatcher(await findRoutes());
  return async (method, pathAndQuery, { token, body, headers = {}, signal } = {}) => {
    const request = new Request(`http://tierwatch.test/api/v1/${pathAndQuery}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const { pathname } = new URL(request.url);
    if (pathname === '/api/v1/openapi.json') return own(request);
    const segments = pathname.slice('/api/v1/'.length).split('/');
    return dispatch(request, segments.map(decodeURIComponent));
  };
}

function matchPath(pattern: string, pathname: string): Record<string, string> | null {
  const wanted = pattern.split('/');
  const given = pathname.split('/');
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith('{')) params[part.slice(1, -1)] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return params;
}

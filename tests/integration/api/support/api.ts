import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { RouteHandler } from '@/lib/http/route';
import { METHODS, type Method } from '@/lib/http/route-registry';

const FOLDER = path.resolve(import.meta.dirname, '../../../../app/api/v1');

export interface FoundRoute {
  method: Method;
  /** As the folder says it: `/api/v1/projects/{projectId}`. */
  path: string;
  handler: RouteHandler;
}

/** Every route below app/api/v1, found as Next finds it: by its folder. */
export async function findRoutes(): Promise<FoundRoute[]> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(^|\/)route\.ts$/.test(file),
  );
  const found: FoundRoute[] = [];
  for (const file of files) {
    const module: Partial<Record<Method, RouteHandler>> = await import(path.join(FOLDER, file));
    const folder = path.dirname(file).replaceAll('[', '{').replaceAll(']', '}');
    for (const method of METHODS) {
      const handler = module[method];
      if (handler) found.push({ method, path: `/api/v1/${folder}`, handler });
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

/** Calls the handlers themselves, by the path under /api/v1. */
export async function openApi(): Promise<Api> {
  const routes = await findRoutes();
  return async (method, pathAndQuery, { token, body, headers = {}, signal } = {}) => {
    const url = new URL(`http://tierwatch.test/api/v1/${pathAndQuery}`);
    const match = routes
      .filter((route) => route.method === method)
      .map((route) => ({ route, params: matchPath(route.path, url.pathname) }))
      .find(({ params }) => params !== null);
    if (!match?.params) throw new Error(`There is no route ${method} ${url.pathname}.`);
    const request = new Request(url, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    return match.route.handler(request, { params: Promise.resolve(match.params) });
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

import type { z } from 'zod';
import type { TokenScope } from '@/lib/identity/token-scopes';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** How a route learns who asks. */
export type RouteAuth = 'apiKey' | 'session' | 'person' | 'runner' | 'public';

/** What a wrong query answers. */
export type QueryRefusal = 400 | 422;

/** What a route declares about itself, once: enough to write its part of the OpenAPI document. */
export interface RouteDescription {
  method: Method;
  /** As OpenAPI writes it: `/api/v1/projects/{projectId}`. */
  path: string;
  /** "List projects". */
  summary: string;
  auth: RouteAuth;
  /** A token needs one of them. */
  scopes: readonly TokenScope[];
  params: z.ZodType | null;
  query: z.ZodType | null;
  queryRefusal: QueryRefusal;
  body: z.ZodType | null;
  /** What it gets comes from a runner: it is redacted, but for fields that hold a credential. */
  isRedacted: boolean;
  credentials: readonly string[];
  /** Null: nothing (204), or a stream that the route writes itself. */
  response: z.ZodType | null;
  status: number;
}

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchRoutes?: Map<string, RouteDescription> };

/** Returns every route whose file has been loaded, by method and path. */
export function routeRegistry(): ReadonlyMap<string, RouteDescription> {
  return routes();
}

export function register(description: RouteDescription): void {
  routes().set(`${description.method} ${description.path}`, description);
}

function routes(): Map<string, RouteDescription> {
  held.tierwatchRoutes ??= new Map();
  return held.tierwatchRoutes;
}

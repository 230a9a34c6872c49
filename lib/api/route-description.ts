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
  /** A minimal meaningful body. */
  example: unknown;
  /** Why it answers 409 or 412, in addition to what every route may answer. */
  refusals: Partial<Record<409 | 412, string>>;
}

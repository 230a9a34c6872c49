import { z } from 'zod';
import {
  type Answer,
  type RouteContext,
  type RouteHandler,
  type RouteOptions,
  route,
} from '@/lib/api/route';
import type { Act } from '@/lib/identity/tenancy/role-matrix';

type Schema = z.ZodType | undefined;
type Parsed<Given extends Schema> = Given extends z.ZodType ? z.output<Given> : undefined;

/** `projectId` and `serviceName` of `/api/v1/projects/{projectId}/services/{serviceName}`. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A call over HTTP. */
type Request<Params, Query, Body> = RouteContext<'apiKey', Params, Query, Body>;
/** What a call is whoever makes it: an HTTP request, or a server action. */
type Call<Params, Query, Body> = Pick<
  Request<Params, Query, Body>,
  'scope' | 'user' | 'params' | 'query' | 'body'
>;

interface Options<
  Path extends string,
  Params,
  Query extends Schema,
  Body extends Schema,
  Result extends Schema,
  Done,
> extends Omit<
    RouteOptions<'apiKey', Schema, Query, Body, Result>,
    'auth' | 'params' | 'handle' | 'answerAgain' | 'credentials' | 'scopes'
  > {
  path: Path;
  /** Who may: a row of the role matrix. The service that runs enforces it. */
  act: Act;
  scopes: NonNullable<RouteOptions<'apiKey', Schema, Query, Body, Result>['scopes']>;
  /** Only where a part of the path is more than text. */
  params?: z.ZodType<Params>;
  /** Does it. What it returns is the response, unless `answer` reads that. */
  run?: (call: Call<Params, Parsed<Query>, Parsed<Body>>) => Promise<Done>;
  /** In place of `run` where it needs the HTTP request itself. */
  handle?: (request: Request<Params, Parsed<Query>, Parsed<Body>>) => Promise<Answer<Result>>;
  /**
   * Reads the response to what `run` did, and to a repeat under an Idempotency-Key whose answer was
   * lost. `target`: the id that `run` returned, or what the first request was carried out on.
   */
  answer?: (
    call: Call<Params, Parsed<Query>, Parsed<Body>>,
    target: string,
  ) => Promise<Answer<Result>>;
  /** Reads the response to a repeat alone. */
  answerAgain?: (
    call: Call<Params, Parsed<Query>, Parsed<Body>>,
    target: string,
  ) => Promise<Answer<Result>>;
}

export interface Operation<Params = never, Body extends Schema = Schema, Done = unknown> {
  act: Act;
  example?: unknown;
  params: z.ZodType<Params>;
  body: Body;
  handler: RouteHandler;
  run(call: Call<Params, undefined, Parsed<Body>>): Promise<Done>;
}

/**
 * Defines what a member or a token can do in an organization, once: the REST route, its part of the
 * OpenAPI document, the server action and the walk through all roles are derived from it.
 */
export function operation<
  const Path extends string,
  Params = Record<NamesIn<Path>, string>,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
  Result extends Schema = undefined,
  Done = unknown,
>(options: Options<Path, Params, Query, Body, Result, Done>): Operation<Params, Body, Done> {
  const { act, run = unavailable, handle, answer, answerAgain = answer, ...shared } = options;
  const params = options.params ?? paramsIn<Params>(options.path);
  type Given = Request<Params, Parsed<Query>, Parsed<Body>>;
  const respond = async (call: Given) => {
    const done = await run(call);
    return answer ? answer(call, String(done)) : (done as Answer<Result>);
  };
  const handler = route<'apiKey', Schema, Query, Body, Result>({
    ...shared,
    auth: 'apiKey',
    params,
    handle: (call) => (handle ?? respond)(call as Given),
    ...(answerAgain ? { answerAgain: (call, target) => answerAgain(call as Given, target) } : {}),
  });
  return {
    act,
    example: options.example,
    params,
    body: options.body as Body,
    handler,
    run: run as never,
  };
}

/** Texts by the names in the path; undefined where it has none. */
function paramsIn<Params>(path: string): z.ZodType<Params> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, z.string()]);
  return z.object(Object.fromEntries(names)) as unknown as z.ZodType<Params>;
}

async function unavailable(): Promise<never> {
  throw new Error('This operation needs an HTTP request.');
}

import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { z } from 'zod';
import { recordRefusal } from '@/lib/identity/audit/record-refusal';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import { RefusedTokenError } from '@/lib/identity/tenancy/refused-token';
import { hasTokenScope, type TokenScope } from '@/lib/identity/token-scopes';
import type { TenantScope } from '@/lib/platform/db/scope';
import { env } from '@/lib/platform/env';
import { ForbiddenError, LimitExceededError } from '@/lib/platform/errors';
import { clientAddress } from '@/lib/platform/http/client-address';
import { idempotentRequestOf, runOnce } from '@/lib/platform/http/idempotency';
import { problemResponse } from '@/lib/platform/http/problem';
import { DEFAULT_MAX_BODY_BYTES } from '@/lib/platform/http/read-body';
import { REQUEST_ID_HEADER, requestIdOf } from '@/lib/platform/http/request-headers';
import { logger } from '@/lib/platform/logger';
import { API_PER_TOKEN, consume, type LimitState } from '@/lib/platform/rate-limits';
import { redactRunnerBody } from '@/lib/platform/redaction/runner-body';
import { authenticate, type Caller } from './authenticate';
import { parseBody, parseParams, parseQuery } from './request-input';
import type { Method, QueryRefusal, RouteAuth, RouteDescription } from './route-description';

type Schema = z.ZodType | undefined;
type Parsed<Given extends Schema> = Given extends z.ZodType ? z.output<Given> : undefined;
export type Answer<Given extends Schema> =
  | (Given extends z.ZodType ? z.input<Given> : undefined)
  | Response;

export interface RouteContext<Auth extends RouteAuth, Params, Query, Body> {
  request: Request;
  requestId: string;
  /** Null on public routes, and where a person is asked for. */
  scope: Auth extends 'public' | 'person' ? null : TenantScope;
  /** The person behind a session cookie; null for tokens and keys. */
  user: Auth extends 'session' | 'person' ? SignedInUser : SignedInUser | null;
  params: Params;
  query: Query;
  body: Body;
}

export interface RouteOptions<
  Auth extends RouteAuth,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Result extends Schema,
> {
  method: Method;
  /** In OpenAPI form: `/api/v1/projects/{projectId}`. */
  path: string;
  summary: string;
  /**
   * `apiKey`: a bearer token, or, for GET, the session cookie of our own pages with
   * `?organization=<slug>`. `session`: the cookie alone. `person`: the cookie, for no
   * organization in particular. `runner`: a runner's key.
   */
  auth: Auth;
  /** A token needs one of them. */
  scopes?: readonly TokenScope[];
  params?: Params;
  query?: Query;
  /** 422 unless it says otherwise. */
  queryRefusal?: QueryRefusal;
  body?: Body;
  /**
   * Fields of a runner's body that hold a credential, which is hashed and never stored. Everything
   * else in the body of a runner route is redacted before `handle` gets it.
   */
  credentials?: readonly string[];
  /**
   * The response is parsed with this schema, unless `handle` returns a Response. Without it,
   * `handle` returns one, or nothing for 204.
   */
  response?: Result;
  status?: number;
  example?: RouteDescription['example'];
  refusals?: RouteDescription['refusals'];
  maxBodyBytes?: number;
  handle: (
    context: RouteContext<Auth, Parsed<Params>, Parsed<Query>, Parsed<Body>>,
  ) => Promise<Answer<Result>>;
  /**
   * Answers a repeat under an Idempotency-Key whose first request was carried out on `target` and
   * whose answer was lost. Omitted where the answer can't be read again: it shows a secret once.
   */
  answerAgain?: (
    context: RouteContext<Auth, Parsed<Params>, Parsed<Query>, Parsed<Body>>,
    target: string,
  ) => Promise<Answer<Result>>;
}

type Segments = { params: Promise<Record<string, string | string[] | undefined>> };
export type RouteHandler = ((request: Request, segments: Segments) => Promise<Response>) & {
  description: RouteDescription;
};

/**
 * Creates a route handler that authenticates, parses input and output, and turns every error into
 * an RFC 9457 response. `export const GET = route({ … })`.
 */
export function route<
  Auth extends RouteAuth,
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
  Result extends Schema = undefined,
>(options: RouteOptions<Auth, Params, Query, Body, Result>): RouteHandler {
  const description = describeRoute(options);

  const handler = async (request: Request, segments: Segments): Promise<Response> => {
    const requestId = requestIdOf(request.headers, options.path);
    const headers = new Headers();
    try {
      // Next passes nothing for a route without dynamic segments.
      const rawParams = (await segments.params) ?? {};
      const caller = await authenticate(options.auth, request, rawParams);
      if (options.auth === 'apiKey') await limit(caller, headers);
      const runnerId = options.auth === 'runner' ? caller.scope?.actor.id : undefined;
      if (runnerId) await consumeRunnerQuota(runnerId, { path: options.path });
      requireTokenScope(caller, description.scopes);
      const params = parseParams(options.params, rawParams) as Parsed<Params>;
      const query = parseQuery(
        options.query,
        request.url,
        description.queryRefusal,
      ) as Parsed<Query>;
      const maxBytes = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
      // A runner's body stays open, since a runner may be newer than we are.
      const isClosed = options.auth === 'apiKey';
      const parsed = await parseBody(options.body, request, maxBytes, { isClosed });
      const { text } = parsed;
      if (runnerId) await consumeRunnerQuota(runnerId, { bytes: Buffer.byteLength(text) });
      const body = description.isRedacted
        ? redactRunnerBody(parsed.body, options.credentials)
        : parsed.body;

      const given = { request, requestId, ...caller, params, query, body };
      const context = given as RouteContext<Auth, Parsed<Params>, Parsed<Query>, Parsed<Body>>;
      const parse = (result: unknown) =>
        options.response && !(result instanceof Response) ? options.response.parse(result) : result;
      const run = async () => parse(await options.handle(context));
      const status = description.status;
      const repeatable = idempotentRequestOf(request, caller.scope, text);
      if (!repeatable || !caller.scope || !options.response) {
        return finish(await run(), status, requestId, headers);
      }
      const { answerAgain } = options;
      const answer = await runOnce(caller.scope, repeatable, {
        run: async () => ({ status, body: await run() }),
        answerAgain:
          answerAgain &&
          (async (target) => ({ status, body: parse(await answerAgain(context, target)) })),
      });
      if (answer.isReplay) headers.set('idempotency-replayed', 'true');
      return finish(answer.body, answer.status, requestId, headers);
    } catch (error) {
      if (error instanceof RefusedTokenError) await record(error, request, requestId);
      return withHeaders(problemResponse(error, requestId), headers);
    }
  };
  return Object.assign(handler, { description });
}

function describeRoute(
  options: Omit<RouteOptions<RouteAuth, Schema, Schema, Schema, Schema>, 'handle' | 'answerAgain'>,
): RouteDescription {
  const { method, path, summary, auth, scopes = [] } = options;
  return {
    method,
    path,
    summary,
    auth,
    scopes,
    params: options.params ?? null,
    query: options.query ?? null,
    queryRefusal: options.queryRefusal ?? 422,
    body: options.body ?? null,
    isRedacted: auth === 'runner' || path.startsWith('/api/runner/'),
    credentials: options.credentials ?? [],
    response: options.response ?? null,
    status: options.status ?? statusOf(options),
    example: options.example,
    refusals: options.refusals ?? {},
  };
}

/** A POST creates something unless it says otherwise, and a DELETE without a response answers nothing. */
function statusOf({ method, response }: { method: Method; response?: Schema }): number {
  if (method === 'POST') return 201;
  return method === 'DELETE' && !response ? 204 : 200;
}

/** A token stays refused when its refusal can't be recorded. */
async function record(
  { refusal }: RefusedTokenError,
  { headers }: Request,
  requestId: string,
): Promise<void> {
  await recordRefusal(refusal, { address: clientAddress(headers), requestId }).catch(
    (error: unknown) => logger.error({ error: String(error), requestId }, 'refusal not recorded'),
  );
}

async function limit(caller: Caller, headers: Headers): Promise<void> {
  if (caller.scope?.actor.kind !== 'api_token') return;
  const state: LimitState = await consume(API_PER_TOKEN, caller.scope.actor.id);
  headers.set('ratelimit-limit', String(state.limit));
  headers.set('ratelimit-remaining', String(state.remaining));
  headers.set('ratelimit-reset', String(state.resetSeconds));
}

function requireTokenScope(caller: Caller, needed: readonly TokenScope[]): void {
  const actor = caller.scope?.actor;
  if (actor?.kind !== 'api_token' || needed.length === 0) return;
  if (needed.some((scope) => hasTokenScope(actor.scopes, scope))) return;
  throw new ForbiddenError(
    `This token lacks the scope ${needed.join(' or ')}. Create a token that has it.`,
  );
}

function finish(result: unknown, status: number, requestId: string, headers: Headers): Response {
  headers.set(REQUEST_ID_HEADER, requestId);
  if (result instanceof Response) return withHeaders(result, headers);
  headers.set('cache-control', 'no-store');
  if (result === undefined) return new Response(null, { status: 204, headers });
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(result), { status, headers });
}

function withHeaders(response: Response, headers: Headers): Response {
  for (const [name, value] of headers) response.headers.set(name, value);
  return response;
}

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchRunnerQuota?: Record<Unit, RateLimiterMemory> };
type Unit = 'requests' | 'bytes';

function quotas(): Record<Unit, RateLimiterMemory> {
  const { runnerRequestsPerMinute, runnerBytesPerMinute } = env();
  held.tierwatchRunnerQuota ??= {
    requests: new RateLimiterMemory({ points: runnerRequestsPerMinute, duration: 60 }),
    bytes: new RateLimiterMemory({ points: runnerBytesPerMinute, duration: 60 }),
  };
  return held.tierwatchRunnerQuota;
}

/**
 * Counts a request of a runner, and the bytes of its body. A refused one may be repeated: runners
 * keep what they couldn't deliver. Counted per web process, and requests per path, so that a flood of
 * events can't keep a heartbeat out.
 *
 * @throws LimitExceededError with the seconds to wait
 */
async function consumeRunnerQuota(
  runnerId: string,
  use: { path: string } | { bytes: number },
): Promise<void> {
  try {
    if ('bytes' in use) await quotas().bytes.consume(runnerId, use.bytes);
    else await quotas().requests.consume(`${runnerId} ${use.path}`);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1_000));
    throw new LimitExceededError(
      `This runner sends more than its quota. Send the same again in ${seconds} s.`,
      seconds,
    );
  }
}

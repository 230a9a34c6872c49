/** The OpenAPI 3.1 document, made of what the routes say about themselves. */
import { z } from 'zod';
import { problemSchema } from '@/lib/platform/http/problem';
import { API_PER_TOKEN } from '@/lib/platform/rate-limits';
import { closedJsonSchema } from '@/lib/platform/unknown-keys';
import { describeFields, type JsonSchema } from './field-docs';
import type { RouteDescription } from './route-description';

/** What a parameter of a path or a query means, by its name; `GET /audit from` where one differs. */
export const PARAMETER_DOCS: Record<string, string> = {
  conversationId: 'Id of the conversation, `cnv_…`.',
  chainId: 'Id of the chain, `chn_…`.',
  heartbeatId: 'Id of the heartbeat, `hrb_…`.',
  incidentId: 'Id of the incident, `inc_…`.',
  approvalId: 'Id of the approval, `apr_…`.',
  channelId: 'Id of the notification channel, `ntc_…`.',
  policyId: 'Id of the paging policy, `esp_…`.',
  deliveryId: 'Id of the delivery, `dlv_…`, as in the `webhook-id` header.',
  endpointId: 'Id of the webhook endpoint, `whk_…`.',
  invitationId: 'Id of the invitation, `inv_…`.',
  memberId: 'Id of the membership, `mem_…`.',
  projectId: 'Id of the project, `prj_…`, or its slug.',
  sourceId: 'Id of the alert source, `als_…`.',
  runnerId: 'Id of the runner, `rnr_…`.',
  serviceName: 'Name of the service, as in the project.',
  sessionId: 'Id of the session, `ses_…`.',
  turnId: 'Id of the turn, `trn_…`.',
  tokenId: 'Id of the token, `tok_…`; not the token itself.',
  limit: 'Rows per page.',
  cursor: '`nextCursor` of the previous page.',
  actor: 'Actor, as shown in entries: `user:…`, `api_token:…`, `runner:…` or `system:…`.',
  action:
    'One action, such as `runner.revoked`, or a kind for all of its actions, such as `runner`.',
  project: 'Id or slug of a project.',
  from: 'Start of the range, inclusive, ISO 8601.',
  to: 'End of the range, exclusive, ISO 8601.',
  chain: 'Id of a chain, `chn_…`.',
  session: 'Id of a session, `ses_…`.',
  state: 'Only those in this state.',
  mayChange: '`true`: only commands that may change something; `false`: only those that don’t.',
  endpoint: 'Id of a webhook endpoint, `whk_…`.',
  source: 'Id of an alert source, `als_…`.',
  severity: 'Only alerts of this severity.',
  service: 'Only those about the service of this name.',
  status: 'Only those in this status.',
  kind: '`tier`: sessions of chains; `ask`: sessions that answered turns of conversations.',
  outcome: 'Only chains with this outcome.',
  tier: 'A tier: 1, 2 or 3. Of usage also 0: answers to operators.',
  model: 'Only this model, as the CLI reports it.',
  groupBy: 'What rows are grouped by.',
  after: 'Sequence number; events after it, oldest first.',
  before: 'Sequence number; events before it.',
  until: 'Number of the last event of the timeline to return; the newest one without it.',
  withCut: '`true`: include turns that were removed from the history.',
  revokeTokens: 'Whether to revoke the tokens that the person created, too.',
  'Idempotency-Key':
    '1 to 255 printable characters of your choice. Requests with the same key within 24 hours are processed once.',
};

type Json = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: Json;
  servers: { url: string }[];
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Json; headers: Json; securitySchemes: Json };
}

const PREFIX = '/api/v1/';

/**
 * Returns the OpenAPI document of every route below /api/v1; `serverUrl` is the address of this
 * installation.
 */
export function openApiDocument(
  routes: Iterable<RouteDescription>,
  serverUrl: string,
): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  const own = [...routes]
    .filter((route) => route.path.startsWith(PREFIX))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  for (const route of own) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tierwatch',
      version: '1',
      description:
        'Times are ISO 8601 in UTC, amounts are US dollars. Lists return data and nextCursor; pass nextCursor as cursor to get the next page. A POST with an Idempotency-Key is processed once, even if it is sent again within 24 hours.',
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
      headers: HEADERS,
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'twk_…' } },
    },
  };
}

/** What an operation is about: the first part of its path, but chains wherever they are. */
function resourceOf(path: string): string {
  if (path.includes('/chains')) return 'chains';
  return path.slice(PREFIX.length).split('/')[0] ?? '';
}

function operation(route: RouteDescription): Json {
  const { method, path, summary, scopes } = route;
  const resource = resourceOf(path);
  const parameters = [
    ...parametersOf(route.params, 'path'),
    ...parametersOf(route.query, 'query'),
    ...(method === 'POST' ? [IDEMPOTENCY_KEY] : []),
  ];
  const needs = scopes.length > 0 ? { description: `Needs the scope ${scopes.join(' or ')}.` } : {};
  return {
    operationId: operationId(method, path),
    summary,
    ...needs,
    tags: [resource],
    security: route.auth === 'public' ? [] : securityOf(scopes),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBody(route) } : {}),
    responses: {
      [route.status]: success(route),
      ...Object.fromEntries(
        refusalsOf(route).map(({ status, when }) => [status, problemAnswer(when)]),
      ),
      default: problemAnswer('Problem details (RFC 9457)'),
    },
  };
}

/** A token needs one of the scopes. */
function securityOf(scopes: readonly string[]): Json[] {
  return scopes.length > 0 ? scopes.map((scope) => ({ token: [scope] })) : [{ token: [] }];
}

function requestBody(route: RouteDescription): Json {
  const { example } = route;
  const schema = route.body ? withoutDialect(closedJsonSchema(route.body)) : {};
  return {
    required: (schema.required ?? []).length > 0,
    content: {
      'application/json': {
        schema: describeFields(schema),
        ...(example === undefined ? {} : { example }),
      },
    },
  };
}

function success(route: RouteDescription): Json {
  const names = [
    ...(route.auth === 'apiKey' ? LIMIT_HEADERS : []),
    ...(route.method === 'POST' ? ['Idempotency-Replayed'] : []),
  ];
  const headers = Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
  return {
    description: 'Done',
    ...(names.length > 0 ? { headers } : {}),
    ...(route.response
      ? { content: json(describeFields(jsonSchema(route.response, 'output'))) }
      : {}),
  };
}

function problemAnswer(description: string): Json {
  return {
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: PARAMETER_DOCS['Idempotency-Key'],
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const HEADERS = {
  'RateLimit-Limit': {
    description: `Requests per token in ${API_PER_TOKEN.perSeconds} seconds: ${API_PER_TOKEN.points}.`,
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': { description: 'Requests left.', schema: { type: 'integer' } },
  'RateLimit-Reset': {
    description: 'Seconds until the limit resets.',
    schema: { type: 'integer' },
  },
  'Idempotency-Replayed': {
    description: 'true when this is the stored response to an earlier request with the same key.',
    schema: { type: 'string' },
  },
};

/** `getProjectsByProjectIdChains` */
function operationId(method: string, path: string): string {
  const words = path
    .slice(PREFIX.length)
    .split(/[/.-]/)
    .map((part) => (part.startsWith('{') ? `by-${part.slice(1, -1)}` : part))
    .flatMap((part) => part.split('-'));
  return (
    method.toLowerCase() +
    words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  );
}

function parametersOf(schema: z.ZodType | null, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(PARAMETER_DOCS[name] ? { description: PARAMETER_DOCS[name] } : {}),
    schema: property,
  }));
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  // A check without a counterpart in JSON Schema is left to the server.
  return withoutDialect(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
}

function withoutDialect({
  $schema: _dialect,
  ...schema
}: z.core.JSONSchema.BaseSchema): JsonSchema {
  return schema as JsonSchema;
}

/** An answer that is no success, and when it comes. */
interface Refusal {
  status: number;
  when: string;
}

const WRONG_FIELD = 'A field is wrong; `fields` says which and why.';

/** Returns every error response of an operation, by status. */
function refusalsOf(route: RouteDescription): Refusal[] {
  const repeats = 'the first request with this Idempotency-Key is still running';
  const found: Record<number, (string | false | null | undefined)[]> = {
    400: [route.query && route.queryRefusal === 400 && WRONG_FIELD],
    401: [route.auth !== 'public' && 'No token, or one that is unknown, expired or revoked.'],
    403: [route.scopes.length > 0 && 'The token lacks the scope, or its role is too low.'],
    404: [route.params && 'It doesn’t exist, or it belongs to another organization.'],
    409: [route.refusals[409], route.method === 'POST' && sentence(repeats)],
    412: [route.refusals[412]],
    413: [route.body && 'The body is larger than 1,000,000 bytes.'],
    415: [route.body && 'The body is not sent as `application/json`.'],
    422: [
      (route.body || (route.query && route.queryRefusal === 422)) && WRONG_FIELD,
      route.method === 'POST' && 'The Idempotency-Key was used with a different body.',
    ],
    429: [
      route.auth === 'apiKey' && 'Too many requests; wait the number of seconds in `Retry-After`.',
    ],
  };
  return Object.entries(found).flatMap(([status, reasons]) => {
    const when = reasons.filter(Boolean).join(' ');
    return when ? [{ status: Number(status), when }] : [];
  });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

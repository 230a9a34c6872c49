/** The OpenAPI 3.1 document, made of what the routes say about themselves. */
import { z } from 'zod';
import { problemSchema } from '@/lib/platform/http/problem';
import { API_PER_TOKEN } from '@/lib/platform/rate-limits/limits';
import { closedJsonSchema } from '@/lib/platform/unknown-keys';
import { describeFields, type JsonSchema } from './document/describe-fields';
import { EXAMPLE_BODIES } from './document/examples';
import { PARAMETER_DOCS } from './document/parameter-docs';
import { refusalsOf } from './document/refusals';
import type { RouteDescription } from './route-registry';

type Json = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: Json;
  servers: { url: string }[];
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Json; headers: Json; securitySchemes: Json };
}

const PREFIX = '/api/v1/';

/** Of every route below /api/v1; `serverUrl` is where this installation answers. */
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
        'Times are ISO 8601 in UTC, money is US dollars. Lists answer data and nextCursor; pass it as cursor for the next page. A POST with an Idempotency-Key is done once, however often it is sent within 24 hours.',
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
    ...(route.body ? { requestBody: requestBody(route, resource) } : {}),
    responses: {
      [route.status]: success(route, resource),
      ...Object.fromEntries(
        refusalsOf(route).map(({ status, when }) => [status, problemAnswer(when)]),
      ),
      default: problemAnswer('What went wrong, by RFC 9457'),
    },
  };
}

/** A token needs one of the scopes. */
function securityOf(scopes: readonly string[]): Json[] {
  return scopes.length > 0 ? scopes.map((scope) => ({ token: [scope] })) : [{ token: [] }];
}

function requestBody(route: RouteDescription, resource: string): Json {
  const example = EXAMPLE_BODIES[`${route.method} ${route.path}`];
  const schema = route.body ? withoutDialect(closedJsonSchema(route.body)) : {};
  return {
    required: (schema.required ?? []).length > 0,
    content: {
      'application/json': {
        schema: describeFields(schema, resource),
        ...(example === undefined ? {} : { example }),
      },
    },
  };
}

function success(route: RouteDescription, resource: string): Json {
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
      ? { content: json(describeFields(jsonSchema(route.response, 'output'), resource)) }
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
    description: `Requests a token may make in ${API_PER_TOKEN.perSeconds} seconds: ${API_PER_TOKEN.points}.`,
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': { description: 'Requests left.', schema: { type: 'integer' } },
  'RateLimit-Reset': {
    description: 'Seconds until the count begins anew.',
    schema: { type: 'integer' },
  },
  'Idempotency-Replayed': {
    description: 'true when this is the answer to an earlier request with the same key.',
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

/** The OpenAPI 3.1 document, made of what the routes say about themselves. */
import { z } from 'zod';
import { problemSchema } from '@/lib/http/problem';
import type { RouteDescription } from '@/lib/http/route-registry';

type Json = Record<string, unknown>;

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: Json;
  servers: { url: string }[];
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Json; securitySchemes: Json };
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
      securitySchemes: { token: { type: 'http', scheme: 'bearer', bearerFormat: 'twk_…' } },
    },
  };
}

function operation(route: RouteDescription): Json {
  const { method, path, summary, scopes, status } = route;
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
    tags: [path.slice(PREFIX.length).split('/')[0]],
    security: route.auth === 'public' ? [] : [{ token: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: { content: json(jsonSchema(route.body, 'input')) } } : {}),
    responses: {
      [status]: route.response
        ? { description: 'Done', content: json(jsonSchema(route.response, 'output')) }
        : { description: 'Done' },
      default: {
        description: 'What went wrong, by RFC 9457',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string' },
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
    schema: property,
  }));
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  // A check without a counterpart in JSON Schema is left to the server.
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}

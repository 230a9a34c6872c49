import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../document/field-docs';
import { openApiDocument } from '../document/openapi';
import type { RouteDescription } from '../route-description';
import { fieldRows } from './field-rows';
import { apiReference } from './operations';
import { listedOf, searchOperations } from './search';

const rowsOf = (schema: z.ZodType) =>
  fieldRows(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema).map(
    ({ path, type, isRequired }) => `${path}${isRequired ? '*' : ''}: ${type}`,
  );

describe('the fields of a schema', () => {
  it('have their bounds, their default and what lies inside', () => {
    const schema = z.object({
      name: z.string().max(80),
      limit: z.number().int().min(1).max(100).default(50),
      share: z.number().gt(0).lte(1).optional(),
      budgetUsd: z.number().positive().nullable(),
      tiers: z.array(
        z.object({ tier: z.union([z.literal(1), z.literal(2)]), tools: z.array(z.string()) }),
      ),
      until: z.iso.datetime(),
    });
    expect(rowsOf(schema)).toEqual([
      'name*: string, at most 80 characters',
      'limit: integer, 1 to 100, default 50',
      'share: number, above 0, at most 1',
      'budgetUsd*: number, above 0 or null',
      'tiers*: list of objects',
      'tiers[].tier*: 1 or 2',
      'tiers[].tools*: list of string',
      'until*: string, ISO 8601',
    ]);
  });

  it('of variants are all of theirs, required where each of them does', () => {
    const schema = z.object({
      schedule: z
        .discriminatedUnion('kind', [
          z.object({ kind: z.literal('interval'), everySeconds: z.number(), zone: z.string() }),
          z.object({ kind: z.literal('cron'), expression: z.string(), zone: z.string() }),
        ])
        .nullable(),
    });
    expect(rowsOf(schema)).toEqual([
      'schedule*: object or null',
      'schedule.kind*: "interval", "cron"',
      'schedule.everySeconds: number',
      'schedule.zone*: string',
      'schedule.expression: string',
    ]);
  });
});

const base: RouteDescription = {
  method: 'GET',
  path: '/api/v1/projects',
  summary: 'List projects',
  auth: 'apiKey',
  scopes: ['projects:read'],
  params: null,
  query: null,
  queryRefusal: 422,
  body: null,
  isRedacted: false,
  credentials: [],
  response: null,
  status: 200,
  example: undefined,
  refusals: {},
};
const run: RouteDescription = {
  ...base,
  method: 'POST',
  path: '/api/v1/projects/{projectId}/chains',
  summary: 'Run a chain now',
  scopes: ['chains:run'],
  params: z.object({ projectId: z.string() }),
  body: z.strictObject({ prompt: z.string().optional() }),
  status: 201,
  refusals: { 409: 'One runs.', 412: 'It is paused.' },
};
const document = openApiDocument([base, run], 'https://tierwatch.example.com');

describe('[SAS-6.2] the reference', () => {
  it('tells of each operation what it needs, answers and refuses, with a request to copy', () => {
    const resources = apiReference(document);
    expect(resources.map(({ title }) => title)).toEqual(['Chains', 'Projects']);
    const operation = resources[0]?.operations[0];
    expect(operation).toMatchObject({
      id: 'postProjectsByProjectIdChains',
      method: 'POST',
      scopes: ['chains:run'],
      answer: { status: 201 },
      parameters: [
        { path: 'projectId', place: 'path', isRequired: true },
        { path: 'Idempotency-Key', place: 'header', isRequired: false },
      ],
      body: [{ path: 'prompt', type: 'string', isRequired: false }],
    });
    expect(operation?.refusals.map(({ status }) => status)).toEqual([
      401, 403, 404, 409, 412, 413, 415, 422, 429,
    ]);
    expect(operation?.curl.split(' \\\n  ')).toEqual([
      "curl -X POST 'https://tierwatch.example.com/api/v1/projects/{projectId}/chains'",
      '-H "Authorization: Bearer $TIERWATCH_TOKEN"',
      '-H "Idempotency-Key: $(uuidgen)"',
      "-H 'Content-Type: application/json'",
      `-d '{"prompt":"We have just deployed 4711."}'`,
    ]);
  });

  it.each([
    ['', 2],
    ['run', 1],
    ['POST chains', 1],
    ['prompt', 1],
    ['projects:read', 1],
    ['nothing at all', 0],
  ])('a search for %j finds %i', (query, count) => {
    const found = searchOperations(listedOf(apiReference(document)), query);
    expect(found.flatMap(({ operations }) => operations)).toHaveLength(count);
  });
});

import { expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '@/lib/api/field-docs';
import { openApiDocument } from '@/lib/api/openapi';
import { DESCRIPTIONS } from '@/lib/operations/registry';
import { curlOf, fieldsOf, resourcesOf } from './openapi';

const rowsOf = (schema: z.ZodType) =>
  fieldsOf(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema).map(
    ({ path, type, isRequired }) => `${path}${isRequired ? '*' : ''}: ${type}`,
  );

it('[SAS-6.2] the reference lists the fields of a schema, nested ones too, with their limits', () => {
  const schema = z.object({
    name: z.string().max(80),
    limit: z.number().int().min(1).default(50),
    budgetUsd: z.number().positive().nullable(),
    tiers: z.array(
      z.object({ tier: z.union([z.literal(1), z.literal(2)]), tools: z.array(z.string()) }),
    ),
    until: z.iso.datetime(),
    schedule: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('interval'), everySeconds: z.number(), zone: z.string() }),
        z.object({ kind: z.literal('cron'), expression: z.string(), zone: z.string() }),
      ])
      .nullable(),
  });
  expect(rowsOf(schema)).toEqual([
    'name*: string, maxLength 80',
    'limit: integer, minimum 1, default 50',
    'budgetUsd*: number, exclusiveMinimum 0 or null',
    'tiers*: array of object',
    'tiers[].tier*: 1 or 2',
    'tiers[].tools*: array of string',
    'until*: string, format "date-time"',
    'schedule*: object or null',
    'schedule.kind*: "interval" or "cron"',
    'schedule.everySeconds: number',
    'schedule.zone*: string',
    'schedule.expression: string',
  ]);
});

it('[SAS-6.2] the reference has each operation once, with a request to copy', () => {
  const document = openApiDocument(DESCRIPTIONS, 'https://tierwatch.example.com');
  const operations = resourcesOf(document).flatMap((resource) => resource.operations);
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const run = operations.find(({ operationId }) => operationId === 'postProjectsByProjectIdChains');
  expect(run?.tags).toEqual(['chains']);
  expect(run && curlOf(run).split(' \\\n  ')).toEqual([
    "curl -X POST 'https://tierwatch.example.com/api/v1/projects/{projectId}/chains'",
    '-H "Authorization: Bearer $TIERWATCH_TOKEN"',
    '-H "Idempotency-Key: $(uuidgen)"',
    "-H 'Content-Type: application/json'",
    `-d '{"prompt":"We have just deployed 4711."}'`,
  ]);
});

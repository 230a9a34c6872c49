/** The document says what every part of a request means, and its examples are taken. */

import { describe, expect, it } from 'vitest';
import { DESCRIPTIONS } from '@/lib/operations/registry';
import { FIELD_DOCS, type JsonSchema } from '../field-docs';
import { openApiDocument, PARAMETER_DOCS } from '../openapi';

interface Operation {
  parameters?: { name: string; description?: string }[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema: JsonSchema }> }
  >;
}

const { paths } = openApiDocument(DESCRIPTIONS, 'https://tierwatch.example.com');
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation: operation as unknown as Operation,
  })),
);
const bodyOf = ({ operation }: (typeof operations)[number]) =>
  operation.requestBody?.content['application/json'].schema;

/** Every property below a schema, with its path. */
function fieldsOf(schema: JsonSchema, path = ''): [string, JsonSchema][] {
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]): [string, JsonSchema][] => [
      [`${path}${name}`, child],
      ...fieldsOf(child, `${path}${name}.`),
    ]),
    ...parts.flatMap((part) => (part ? fieldsOf(part, path) : [])),
    ...(schema.prefixItems ?? []).flatMap((part) => fieldsOf(part, path)),
  ];
}

describe('[SAS-6.2] the OpenAPI document', () => {
  it('describes every parameter, and no other', () => {
    const used = operations.flatMap(({ operation }) => operation.parameters ?? []);
    expect(used.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
    const names = new Set(used.map(({ name }) => name));
    expect(Object.keys(PARAMETER_DOCS).filter((name) => !names.has(name))).toEqual([]);
  });

  it('says what every field of a body means', () => {
    const silent = operations.flatMap((each) =>
      fieldsOf(bodyOf(each) ?? {})
        .filter(([, field]) => !field.description)
        .map(([path]) => `${each.name} ${path}`),
    );
    expect(silent).toEqual([]);
  });

  it('says of a name what it means in its own schema', () => {
    const answers = operations.flatMap(({ name, operation }) => {
      const schema = operation.responses['200']?.content?.['application/json']?.schema;
      return schema ? [[name, Object.fromEntries(fieldsOf(schema))] as const] : [];
    });
    const textOf = (name: string, path: string) => new Map(answers).get(name)?.[path]?.description;
    expect([
      textOf('GET /api/v1/projects/{projectId}', 'services'),
      textOf('GET /api/v1/chains/{chainId}', 'services'),
      textOf('GET /api/v1/chains/{chainId}', 'trigger'),
      textOf('GET /api/v1/checkpoints', 'data.trigger'),
      textOf('GET /api/v1/projects', 'data.services.name'),
      textOf('GET /api/v1/projects', 'data.tiers.timeoutSeconds'),
      textOf('GET /api/v1/projects', 'data.services.checks.timeoutSeconds'),
    ]).toEqual([
      'What is watched. At most 100.',
      'Results of the runner’s own checks of each service: the last one, and the one before any remediation.',
      'What started it: the schedule, a person, or the API.',
      'Why it was written: by interval, before a compaction, by the agent, for a person, at the end.',
      'Unique in the project; the agent and the health strip use it.',
      'Seconds a process may run.',
      'Timeout of the check in seconds. It must be below the interval.',
    ]);
  });

  it('explains no field that there is not', () => {
    const said = new Set(
      operations.flatMap((each) => {
        const answers = Object.values(each.operation.responses).map(
          (answer) => answer.content?.['application/json']?.schema,
        );
        return [bodyOf(each), ...answers].flatMap((schema) =>
          fieldsOf(schema ?? {}).map(([, field]) => field.description),
        );
      }),
    );
    expect(Object.entries(FIELD_DOCS).filter(([, doc]) => !said.has(doc))).toEqual([]);
  });

  it('has an example for every body with fields', () => {
    const withFields = operations.filter((each) => fieldsOf(bodyOf(each) ?? {}).length > 0);
    const given = DESCRIPTIONS.filter(({ example }) => example !== undefined);
    expect(given.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      withFields.map(({ name }) => name).toSorted(),
    );
  });

  it('names for every operation what it may refuse', () => {
    for (const { name, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      if (name.endsWith('openapi.json')) continue;
      expect(statuses, name).toEqual(expect.arrayContaining(['401', '403', '429']));
      if (name.includes('{')) expect(statuses, name).toContain('404');
    }
  });
});

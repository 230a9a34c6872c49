import type { JsonSchema } from '@/lib/api/field-docs';
import { type OpenApiDocument, openApiDocument } from '@/lib/api/openapi';
import { DESCRIPTIONS } from '@/lib/operations/registry';
import { env } from '@/lib/platform/env';

type Content = { 'application/json'?: { schema: JsonSchema; example?: unknown } };

/** What the OpenAPI document of this installation says about an operation. */
export interface Operation {
  method: string;
  path: string;
  url: string;
  /** Also its anchor: `getProjects`. */
  operationId: string;
  summary: string;
  tags: string[];
  security: { token?: string[] }[];
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    description?: string;
    schema: JsonSchema;
  }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

export interface Resource {
  /** `webhook-endpoints`, as in the paths. */
  name: string;
  /** `Webhook endpoints` */
  title: string;
  operations: Operation[];
}

let made: Resource[] | null = null;

/** Returns the reference of this installation; it changes with the program alone. */
export function loadReference(): Resource[] {
  made ??= resourcesOf(openApiDocument(DESCRIPTIONS, env().publicUrl));
  return made;
}

/** Returns the resources in alphabetical order. */
export function resourcesOf({ paths, servers: [server] }: OpenApiDocument): Resource[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, described]) =>
        ({
          ...described,
          method: method.toUpperCase(),
          path,
          url: `${server?.url}${path}`,
        }) as unknown as Operation,
    ),
  );
  const names = [...new Set(operations.flatMap(({ tags }) => tags))].toSorted();
  return names.map((name) => ({
    name,
    title: `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`,
    operations: operations.filter(({ tags }) => tags.includes(name)),
  }));
}

export interface Field {
  /** `tiers[].allowedTools` */
  path: string;
  /** `integer, minimum 30, maximum 604800` */
  type: string;
  isRequired: boolean;
  doc: string;
}

/** Returns every field of a schema, each after its parent; of variants those of all of them. */
export function fieldsOf(schema: JsonSchema, around = ''): Field[] {
  const variants = variantsOf(schema);
  const fields = new Map<string, Field>();
  for (const [name, field] of variants.flatMap((each) => Object.entries(each.properties ?? {}))) {
    const path = `${around}${name}`;
    const type = typeOf(field);
    const known = fields.get(path);
    if (known && !known.type.split(' or ').includes(type)) known.type += ` or ${type}`;
    if (known) continue;
    const isRequired = variants.every(({ required }) => required?.includes(name));
    fields.set(path, { path, type, isRequired, doc: field.description ?? '' });
    const [first] = variantsOf(field);
    const below = first?.items ? fieldsOf(first.items, `${path}[].`) : fieldsOf(field, `${path}.`);
    for (const each of below) fields.set(each.path, each);
  }
  return [...fields.values()];
}

function variantsOf({ anyOf, oneOf, ...schema }: JsonSchema): JsonSchema[] {
  const variants = (anyOf ?? oneOf)?.flatMap(variantsOf) ?? [schema];
  return variants.filter(({ type }) => type !== 'null');
}

const LIMITS = ['minimum', 'exclusiveMinimum', 'maximum', 'maxLength', 'format', 'default'];

/** The words of JSON Schema. zod bounds every whole number by the safe ones, which says nothing. */
function typeOf(field: JsonSchema): string {
  const variants = field.anyOf ?? field.oneOf;
  const words = field.const === undefined ? field.enum : [field.const];
  const type = variants
    ? [...new Set(variants.map(typeOf))].join(' or ')
    : Array.isArray(words)
      ? words.map((word) => JSON.stringify(word)).join(' or ')
      : field.items
        ? `array of ${typeOf(field.items)}`
        : [field.type ?? 'anything'].flat().join(' or ');
  const limits = LIMITS.filter(
    (name) =>
      field[name] !== undefined && Math.abs(Number(field[name])) !== Number.MAX_SAFE_INTEGER,
  );
  return [type, ...limits.map((name) => `${name} ${JSON.stringify(field[name])}`)].join(', ');
}

/** Returns a request that works once its ids are real. */
export function curlOf({ method, url, security, requestBody }: Operation): string {
  const example = requestBody?.content['application/json']?.example;
  return [
    `curl -X ${method} '${url}'`,
    ...(security.length > 0 ? ['-H "Authorization: Bearer $TIERWATCH_TOKEN"'] : []),
    ...(method === 'POST' ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(requestBody
      ? [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(example ?? {}).replaceAll("'", `'\\''`)}'`,
        ]
      : []),
  ].join(' \\\n  ');
}

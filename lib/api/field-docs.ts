import { listAgents } from '@/lib/agents/registry';

const AGENTS = listAgents()
  .map(({ name, hasModel }) => `\`${name}\`${hasModel ? '' : ' (without a model)'}`)
  .join(' or ');

/**
 * Descriptions of fields whose name means the same in the whole API. Other fields are described in
 * their own schema with `meta({ description })`, project settings in their entries.
 */
export const FIELD_DOCS: Record<string, string> = {
  waitReason:
    'What queued or waiting work waits for: a `runner`, the end of a `pause`, of a `maintenance` window or of a used-up `budget`, the `host` that holds its conversation, its next retry (`retry`), a person’s decision (`approval`), the proof that the agent refuses forbidden commands (`canary`), a runner that can confine agents (`isolation`), or another `version` of the agent’s CLI because the one there is denied. Null otherwise.',
  harness: `The agent: ${AGENTS}.`,
  nextCursor: 'Pass it as `cursor` for the next page; null on the last.',
  costUsd: 'US dollars, summed over the ledger.',
  durationMs: 'Milliseconds from start to end.',
  share: 'Share of the context window in use, 0 to 1.',
  threshold: 'The limit that applied to the decision, 0 to 1.',
  mechanism: 'How the session started: fresh, resume or handoff.',
};

export type JsonSchema = Record<string, unknown> & {
  type?: string | string[];
  description?: string;
  fields?: Readonly<Record<string, string>>;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  prefixItems?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
};

/** Texts that a schema has for the fields below it: its meta `fields`, by path. */
interface OwnTexts {
  texts: Readonly<Record<string, string>>;
  /** Of the schema at hand, below the one with the texts. */
  path: string;
}

/** Adds the known descriptions to the fields of a schema. */
export function describeFields(
  { fields, ...schema }: JsonSchema,
  outer: OwnTexts | null = null,
): JsonSchema {
  const own = fields ? { texts: fields, path: '' } : outer;
  const inner = (child: JsonSchema) => describeFields(child, own);
  const described: JsonSchema = { ...schema };
  if (schema.properties) {
    described.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => {
        const below = own && { ...own, path: own.path ? `${own.path}.${name}` : name };
        const field = describeFields(child, below);
        return [name, withDoc(field, name, below)];
      }),
    );
  }
  if (schema.items) described.items = inner(schema.items);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) {
    const parts = schema[key];
    if (parts) described[key] = parts.map(inner);
  }
  return described;
}

function withDoc(schema: JsonSchema, name: string, own: OwnTexts | null): JsonSchema {
  const doc = schema.description ?? own?.texts[own.path] ?? FIELD_DOCS[name];
  return doc ? { ...schema, description: doc } : schema;
}

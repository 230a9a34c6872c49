import { FIELD_DOCS } from './field-docs';

export type JsonSchema = Record<string, unknown> & {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  prefixItems?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
};

/** The schema with what each of its fields means, as far as that is written down. */
export function describeFields(schema: JsonSchema, resource: string, around = ''): JsonSchema {
  const inner = (child: JsonSchema) => describeFields(child, resource, around);
  const described: JsonSchema = { ...schema };
  if (schema.properties) {
    described.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, child]) => [
        name,
        withDoc(describeFields(child, resource, name), name, resource, around),
      ]),
    );
  }
  if (schema.items) described.items = inner(schema.items);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) {
    const parts = schema[key];
    if (parts) described[key] = parts.map(inner);
  }
  return described;
}

function withDoc(schema: JsonSchema, name: string, resource: string, around: string): JsonSchema {
  const doc =
    schema.description ??
    FIELD_DOCS[`${around}.${name}`] ??
    (around === '' ? FIELD_DOCS[`${resource}/${name}`] : undefined) ??
    FIELD_DOCS[name];
  return doc ? { ...schema, description: doc } : schema;
}

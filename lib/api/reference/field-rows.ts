import type { JsonSchema } from '../document/field-docs';

/** One field of a body or an answer, as a reader needs it. */
export interface FieldRow {
  /** `tiers[].allowedTools`. */
  path: string;
  /** `integer, 30 to 604800`. */
  type: string;
  isRequired: boolean;
  doc: string;
}

/** Returns every field of a schema, each after its parent. */
export function fieldRows(schema: JsonSchema, around = ''): FieldRow[] {
  const { properties, required } = mergedObject(schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${around}${name}`;
    const { child, suffix } = innerOf(field);
    return [
      {
        path,
        type: typeWords(field),
        isRequired: required.has(name),
        doc: field.description ?? '',
      },
      ...(child ? fieldRows(child, `${path}${suffix}.`) : []),
    ];
  });
}

/** The object of a schema; of variants all of their fields, required where all of them do. */
function mergedObject(schema: JsonSchema) {
  const variants = variantsOf(schema);
  const properties: Record<string, JsonSchema> = {};
  for (const variant of variants) {
    for (const [name, field] of Object.entries(variant.properties ?? {})) {
      properties[name] = properties[name] ? mergedField(properties[name], field) : field;
    }
  }
  const isInAll = (name: string) => variants.every(({ required }) => required?.includes(name));
  return { properties, required: new Set(Object.keys(properties).filter(isInAll)) };
}

/** The same field of two variants: where both are a fixed word, one of either. */
function mergedField(one: JsonSchema, other: JsonSchema): JsonSchema {
  const words = [...wordsOf(one), ...wordsOf(other)];
  return words.length > 1 ? { ...one, const: undefined, enum: [...new Set(words)] } : one;
}

function wordsOf({ const: fixed, enum: words }: JsonSchema): unknown[] {
  if (fixed !== undefined) return [fixed];
  return Array.isArray(words) ? words : [];
}

function variantsOf(schema: JsonSchema): JsonSchema[] {
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  return parts ? parts.flatMap(variantsOf).filter(({ type }) => type !== 'null') : [schema];
}

/** The parts of a field, with their paths. */
function innerOf(field: JsonSchema): { child: JsonSchema | null; suffix: string } {
  const [first] = variantsOf(field);
  const item = first?.items ?? first?.prefixItems?.[0];
  if (item) return { child: innerOf(item).child ?? item, suffix: '[]' };
  return {
    child: variantsOf(field).some(({ properties }) => properties) ? field : null,
    suffix: '',
  };
}

function typeWords(field: JsonSchema): string {
  const parts = [...new Set((field.anyOf ?? field.oneOf ?? [field]).map(plainType))];
  const fallback = field.default === undefined ? [] : [`default ${JSON.stringify(field.default)}`];
  return [parts.join(' or '), ...fallback].filter(Boolean).join(', ');
}

function plainType(field: JsonSchema): string {
  const words = wordsOf(field);
  if (words.length > 0) return words.map((word) => JSON.stringify(word)).join(', ');
  if (field.anyOf ?? field.oneOf) return typeWords({ ...field, default: undefined });
  const item = field.items ?? field.prefixItems?.[0];
  if (item) return `list of ${item.properties ? 'objects' : plainType(item)}`;
  const type = field.properties ? 'object' : [field.type ?? 'anything'].flat().join(' or ');
  return [type, limitWords(field)].filter(Boolean).join(', ');
}

/** zod writes the bounds of every whole number; those say nothing. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;

function limitWords(field: JsonSchema): string {
  const isBound = (value: unknown) => typeof value === 'number' && Math.abs(value) < NO_BOUND;
  const least = [field.minimum, field.exclusiveMinimum].find(isBound);
  const most = [field.maximum, field.exclusiveMaximum].find(isBound);
  if (field.format === 'date-time') return 'ISO 8601';
  if (isBound(field.maxLength)) return `at most ${field.maxLength} characters`;
  if (least !== undefined && most !== undefined) {
    return field.minimum === least ? `${least} to ${most}` : `above ${least}, at most ${most}`;
  }
  if (least !== undefined)
    return field.exclusiveMinimum === least ? `above ${least}` : `at least ${least}`;
  return most === undefined ? '' : `at most ${most}`;
}

/** Keys of what comes in from outside that mean nothing to its schema, however deep they stand. */

import { z } from 'zod';
import { cutText } from './format/text';

interface Shape {
  properties?: Record<string, Shape>;
  additionalProperties?: boolean | Shape;
  items?: Shape;
  anyOf?: Shape[];
  oneOf?: Shape[];
  const?: unknown;
}

interface UnknownKey {
  path: (string | number)[];
  /** `Unknown field maxTurn. Did you mean maxTurns?` */
  message: string;
}

/** Of a key in a message, and keys in an answer. */
const MAX_SHOWN_CHARS = 60;
const MAX_SHOWN_KEYS = 20;

const shapes = new WeakMap<z.ZodType, Shape>();

/** Keys of a value that its schema does not know, the first of many; a loose object knows all. */
export function unknownKeys(schema: z.ZodType, value: unknown): UnknownKey[] {
  const shape = shapes.get(schema) ?? (closedJsonSchema(schema) as Shape);
  shapes.set(schema, shape);
  return walk(shape, value, []).slice(0, MAX_SHOWN_KEYS);
}

/** Returns the JSON schema of an input, in which objects accept only their own keys. */
export function closedJsonSchema(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    // A check without a counterpart in JSON Schema is left to the server.
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.properties) jsonSchema.additionalProperties ??= false;
    },
  });
}

function walk(shape: Shape, value: unknown, path: (string | number)[]): UnknownKey[] {
  if (Array.isArray(value)) {
    const items = variants(shape).find((each) => each.items)?.items;
    return items ? value.flatMap((item, index) => walk(items, item, [...path, index])) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const objects = fitting(shape, value);
  const known = Object.assign({}, ...objects.map((each) => each.properties));
  const isClosed =
    objects.length > 0 && objects.every((each) => each.additionalProperties === false);
  return Object.entries(value).flatMap(([key, child]) => {
    const at = [...path, key];
    // Not `known[key]` alone: `constructor` is no key of ours.
    const next: Shape | undefined = Object.hasOwn(known, key) ? known[key] : undefined;
    if (next) return walk(next, child, at);
    return isClosed ? [{ path: at, message: messageOf(key, Object.keys(known)) }] : [];
  });
}

function messageOf(key: string, known: readonly string[]): string {
  const nearest = nearestOf(key, known);
  return `Unknown field ${cutText(key, MAX_SHOWN_CHARS)}.${nearest ? ` Did you mean ${nearest}?` : ''}`;
}

function variants(shape: Shape): Shape[] {
  const inner = shape.anyOf ?? shape.oneOf;
  return inner ? inner.flatMap(variants) : [shape];
}

/** Of a union the variant that the value says it is; all of them when it says none. */
function fitting(shape: Shape, value: object): Shape[] {
  const all = variants(shape).filter((each) => each.properties);
  const said = all.filter((each) =>
    Object.entries(each.properties ?? {}).some(
      ([key, property]) =>
        property.const !== undefined && property.const === (value as Record<string, unknown>)[key],
    ),
  );
  return said.length > 0 ? said : all;
}

function nearestOf(key: string, known: readonly string[]): string | null {
  // A typo is about as long as the intended word, and the distance takes quadratic time.
  if (key.length > MAX_SHOWN_CHARS) return null;
  const typed = key.toLowerCase();
  const ranked = known
    .map((each) => {
      const name = each.toLowerCase();
      // `timeout` for `timeoutSeconds`: the unit is what people leave out.
      const far = typed.length > 2 && name.startsWith(typed) ? 1 : distance(typed, name);
      return { each, far };
    })
    .toSorted((one, other) => one.far - other.far);
  const [best] = ranked;
  return best && best.far <= Math.max(2, Math.floor(best.each.length / 3)) ? best.each : null;
}

/** How many letters to change, add or leave out. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

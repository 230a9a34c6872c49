/** Which keys a document may have where, by its own schema. */
import { z } from 'zod';
import { projectDocumentSchema } from '../schema';

interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
  prefixItems?: Shape[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  const?: unknown;
}

const ROOT = z.toJSONSchema(projectDocumentSchema, {
  io: 'input',
  unrepresentable: 'any',
}) as Shape;

export interface UnknownKey {
  path: (string | number)[];
  key: string;
  /** The one that was likely meant; null when none is near. */
  nearest: string | null;
}

/** Every key of a document that means nothing. */
export function unknownKeys(value: unknown): UnknownKey[] {
  return walk(ROOT, value, []);
}

function walk(shape: Shape, value: unknown, path: (string | number)[]): UnknownKey[] {
  if (Array.isArray(value)) {
    const items = variants(shape).find((each) => each.items)?.items;
    return items ? value.flatMap((item, index) => walk(items, item, [...path, index])) : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const known = Object.assign({}, ...fitting(shape, value).map((each) => each.properties ?? {}));
  // Where the schema takes anything, there is nothing to know.
  if (Object.keys(known).length === 0) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const next: Shape | undefined = known[key];
    if (next) return walk(next, child, [...path, key]);
    return [{ path: [...path, key], key, nearest: nearestOf(key, Object.keys(known)) }];
  });
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

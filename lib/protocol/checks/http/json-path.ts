/**
 * A subset of JSONPath (RFC 9535) for checks: `$`, members (`.name`, `['any name']`), indexes (`[0]`,
 * `[-1]` from the end) and all children (`.*`, `[*]`). Without filters, slices, descendants and
 * functions, a path takes time in proportion to the values it selects, and can't be made to loop.
 */

/** More values aren't selected. */
const MAX_VALUES = 1_000;

export type ParsedPath = { ok: true; steps: JsonPathStep[] } | { ok: false; problem: string };
export type JsonPathStep =
  | { kind: 'member'; name: string }
  | { kind: 'index'; at: number }
  | { kind: 'all' };

const STEP =
  /\.(?<name>[A-Za-z_\u0080-\uffff][\w\u0080-\uffff-]*)|\.(?<star>\*)|\[(?:(?<index>-?\d{1,9})|(?<all>\*)|'(?<single>(?:[^'\\]|\\['\\])*)'|"(?<double>(?:[^"\\]|\\["\\])*)")\]/uy;

/** Parses a path. `problem` is a sentence that says where it can't be read and what is possible. */
export function parseJsonPath(path: string): ParsedPath {
  const text = path.trim();
  if (!text.startsWith('$'))
    return { ok: false, problem: 'A path begins with $, such as $.status.' };
  const steps: JsonPathStep[] = [];
  let at = 1;
  while (at < text.length) {
    STEP.lastIndex = at;
    const match = STEP.exec(text);
    if (!match?.groups) {
      const rest = text.slice(at, at + 20);
      return {
        ok: false,
        problem: `The path can’t be read from “${rest}” on. Use .name, ['name'], [0], [-1], .* and [*].`,
      };
    }
    steps.push(stepOf(match.groups));
    at = STEP.lastIndex;
  }
  return { ok: true, steps };
}

function stepOf(groups: Record<string, string | undefined>): JsonPathStep {
  const { name, index, single, double } = groups;
  if (index !== undefined) return { kind: 'index', at: Number(index) };
  const quoted = (single ?? double)?.replace(/\\(.)/g, '$1');
  const member = name ?? quoted;
  return member === undefined ? { kind: 'all' } : { kind: 'member', name: member };
}

/** Returns the values that a path selects, at most 1,000; an empty list where there are none. */
export function selectJson(value: unknown, steps: readonly JsonPathStep[]): unknown[] {
  return steps.reduce<unknown[]>(
    (values, step) => values.flatMap((each) => childrenOf(each, step)).slice(0, MAX_VALUES),
    [value],
  );
}

function childrenOf(value: unknown, step: JsonPathStep): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if (step.kind === 'all') return Array.isArray(value) ? value : Object.values(value);
  if (step.kind === 'index') {
    if (!Array.isArray(value)) return [];
    const at = step.at < 0 ? value.length + step.at : step.at;
    return at in value ? [value[at]] : [];
  }
  // Not `value[name]` alone: `constructor` is inherited.
  if (Array.isArray(value) || !Object.hasOwn(value, step.name)) return [];
  return [(value as Record<string, unknown>)[step.name]];
}

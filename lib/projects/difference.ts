/** One changed value of two configurations; `path` as in `tiers.1.model`. */
export interface FieldChange {
  path: string;
  before: unknown;
  after: unknown;
}

/**
 * Returns every leaf that differs, in the order of the first document. Missing values are
 * undefined.
 */
export function changedFields(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (isTree(before) && isTree(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) =>
      changedFields(before[key], after[key], path ? `${path}.${key}` : key),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

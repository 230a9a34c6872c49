import { changedFields } from '@/lib/projects/difference';

/** One field of an entry: how it was and how it is, or a fact alone. */
export interface DetailRow {
  /** The path of the field, such as `tiers.1.model`. */
  term: string;
  /** Null where there is no before. */
  before: string | null;
  /** Null where it is gone. */
  after: string | null;
}

/** Before and after side by side, the same left out, down to single fields; then the other facts. */
export function detailRows(detail: Record<string, unknown>): DetailRow[] {
  const { before, after, changes, ...facts } = detail;
  const differences = [
    ...changedFields(sideOf(before, after), sideOf(after, before)),
    ...(Array.isArray(changes) ? changes.filter(isChange) : []),
  ];
  return [
    ...differences
      .map((change) => ({
        term: change.path || 'value',
        before: textOf(change.before),
        after: textOf(change.after),
      }))
      .filter((row) => row.before !== row.after),
    ...Object.entries(facts).map(([term, value]) => ({
      term,
      before: null,
      after: textOf(value) ?? 'none',
    })),
  ];
}

/** A missing side of a record is an empty one, so that each field of the other shows. */
function sideOf(side: unknown, other: unknown): unknown {
  return side === undefined && isRecord(other) ? {} : withListsAsText(side);
}

/** A list of words is one value. */
function withListsAsText(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.every((one) => typeof one !== 'object') ? value.join(', ') || 'none' : value;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withListsAsText(inner)]),
  );
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const plain = withListsAsText(value);
  return typeof plain === 'string' ? plain : JSON.stringify(plain, null, 1);
}

function isChange(value: unknown): value is { path: string; before?: unknown; after?: unknown } {
  return isRecord(value) && typeof value.path === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

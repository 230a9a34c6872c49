/** One field of an entry: how it was and how it is, or a fact alone. */
export interface DetailRow {
  term: string;
  /** Null where there is no before. */
  before: string | null;
  /** Null where it is gone. */
  after: string | null;
}

/** Before and after side by side, the same left out; then the other facts. */
export function detailRows(detail: Record<string, unknown>): DetailRow[] {
  const { before, after, ...facts } = detail;
  const rows: DetailRow[] = [];
  if (isRecord(before) || isRecord(after)) {
    const was = isRecord(before) ? before : {};
    const is = isRecord(after) ? after : {};
    for (const term of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const row = { term, before: textOf(was[term]), after: textOf(is[term]) };
      if (row.before !== row.after) rows.push(row);
    }
  } else if (before !== undefined || after !== undefined) {
    rows.push({ term: 'value', before: textOf(before), after: textOf(after) });
  }
  for (const [term, value] of Object.entries(facts)) {
    rows.push({ term, before: null, after: textOf(value) ?? 'none' });
  }
  return rows;
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    return value.join(', ') || 'none';
  }
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

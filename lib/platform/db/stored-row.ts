/** Rows read by raw SQL, in the shape that Prisma gives them. */

/** In JSON a bigint is a number. */
export type JsonRow<Row> = {
  [Name in keyof Row]: bigint extends Row[Name] ? number | Exclude<Row[Name], bigint> : Row[Name];
};

/** Of `select c.*`: columns under the names of their fields. */
export function fromColumns<Row>(columns: Record<string, unknown>): Row {
  return renamed(columns, (_name, value) => value) as Row;
}

/** Of `select to_jsonb(c)`: times come as text there. Every column that ends in `_at` is one. */
export function fromJson<Row>(columns: Record<string, unknown>): JsonRow<Row> {
  return renamed(columns, (name, value) =>
    name.endsWith('_at') && typeof value === 'string' ? new Date(value) : value,
  ) as JsonRow<Row>;
}

function renamed(
  columns: Record<string, unknown>,
  read: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [fieldOf(name), read(name, value)]),
  );
}

function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

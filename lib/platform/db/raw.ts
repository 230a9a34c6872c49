import type { Prisma } from '@/generated/prisma/client';
import type { TenantConnection } from './tenant-connection';
import { rawConnection, type TenantDb } from './tenant-db';

/** A transaction, for statements that are sent past Prisma. */
export interface RawDb {
  readonly [rawConnection]: Pick<TenantConnection, 'query'>;
}

type TenantRawDb = Pick<TenantDb, typeof rawConnection>;

/**
 * Leaves a write to the end of the transaction: it has been sent, and is answered before the
 * commit. If it fails, the transaction fails with its error. Later statements see what it wrote.
 *
 * @param write a promise of `changedBy` or of a function that sends one statement
 */
export function beforeCommit(db: TenantRawDb, write: Promise<unknown>): void {
  db[rawConnection].expectWrite(write);
}

/** Leaves a write to the very end of the transaction: it takes a lock that many others wait for. */
export function lastBeforeCommit(db: TenantRawDb, write: () => Promise<unknown>): void {
  db[rawConnection].expectLast(write);
}

/**
 * Calls `work` once the transaction is committed, without anybody waiting for it: to count or to report
 * what has happened. A failure is only logged. What must not be lost is a row or a job instead.
 */
export function afterCommit(db: TenantRawDb, work: () => unknown): void {
  db[rawConnection].expectCommit(work);
}

/** Converts a parsed value to a JSON column's input. */
export function toJson(value: object): Prisma.InputJsonValue {
  return value as Prisma.InputJsonValue;
}

/** In JSON a bigint is a number. */
type JsonRow<Row> = {
  [Name in keyof Row]: bigint extends Row[Name] ? number | Exclude<Row[Name], bigint> : Row[Name];
};

/** Of `select to_jsonb(c)`: times come as text there. Every column that ends in `_at` is one. */
export function fromJson<Row>(columns: Record<string, unknown>): JsonRow<Row> {
  const fields = Object.entries(columns).map(([name, value]) => {
    const isTime = name.endsWith('_at') && typeof value === 'string';
    return [fieldOf(name), isTime ? new Date(value) : value];
  });
  return Object.fromEntries(fields) as JsonRow<Row>;
}

/** Columns that aren't named like their field in snake case. */
const OTHER_COLUMNS: Readonly<Record<string, string>> = { end: 'end_kind' };
const OTHER_FIELDS: Readonly<Record<string, string>> = { end_kind: 'end' };

/** Returns the name of a field's column. */
export function columnOf(field: string): string {
  return OTHER_COLUMNS[field] ?? field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** Returns the name of a column's field. */
export function fieldOf(column: string): string {
  if (!column.includes('_')) return column;
  return (
    OTHER_FIELDS[column] ??
    column.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
  );
}

/** Returns a JSON column as an object; null for anything else. */
export function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

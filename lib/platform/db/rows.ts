/**
 * Writes of single rows over the transaction's connection, for paths where Prisma's own time
 * counts. Row-level security applies. For data.ts files only.
 */

import { type RawBuilder, sql } from 'kysely';
import { changedBy, type Database, type Given, type Row, sqlChanges } from './sql';
import type { TenantDb } from './tenant-db';

type Table = keyof Database;

/** A JSON column takes an object, its text, or null for SQL's null. An array is PostgreSQL's. */
type Values<Name extends Table> = Given<Row<Name>>;

/** Fields that are undefined are left as they are. */
function entriesOf(values: object): [column: RawBuilder<unknown>, value: unknown][] {
  return Object.entries(values).flatMap(([field, value]) =>
    value === undefined ? [] : [[sql.ref(field), value]],
  );
}

/** @returns how many rows there were: 1, or 0 without such a row */
export function updateRow<Name extends Table>(
  db: TenantDb,
  table: Name,
  key: { organizationId: string; id: string },
  values: Values<Name>,
): Promise<number> {
  const { organizationId, id } = key;
  const changes = entriesOf(values).map(([column, value]) => sql`${column} = ${value}`);
  return sqlChanges(
    db,
  )`update ${sql.table(table)} set ${sql.join(changes)} where organization_id = ${organizationId} and id = ${id}`;
}

/** A statement takes 65,535 values. */
const MAX_VALUES = 60_000;

/**
 * Inserts rows with the same fields. Fields without a default in the database have to be given.
 *
 * @returns how many rows were inserted
 */
export async function insertRows<Name extends Table>(
  db: TenantDb,
  table: Name,
  rows: readonly Values<Name>[],
  { skipsDuplicates = false } = {},
): Promise<number> {
  const sets = rows.map(entriesOf);
  const columns = (sets[0] ?? []).map(([column]) => column);
  const ending = skipsDuplicates ? sql` on conflict do nothing` : sql``;
  const atOnce = Math.max(1, Math.floor(MAX_VALUES / Math.max(1, columns.length)));
  const inserts: Promise<number>[] = [];
  for (let from = 0; from < sets.length; from += atOnce) {
    const values = sets
      .slice(from, from + atOnce)
      .map((set) => sql`(${sql.join(set.map(([, value]) => value))})`);
    const insert = sql`insert into ${sql.table(table)} (${sql.join(columns)}) values ${sql.join(values)}${ending}`;
    inserts.push(changedBy(db, insert));
  }
  return (await Promise.all(inserts)).reduce((sum, inserted) => sum + inserted, 0);
}

/** Inserts a row, or updates `values` of the row with the same key. */
export function upsertRow<Name extends Table>(
  db: TenantDb,
  table: Name,
  key: Values<Name>,
  values: Values<Name>,
  onInsert: Values<Name> = {},
): Promise<number> {
  const all = entriesOf({ ...onInsert, ...key, ...values });
  const columns = all.map(([column]) => column);
  const updates = entriesOf(values).map(([column]) => sql`${column} = excluded.${column}`);
  return sqlChanges(
    db,
  )`insert into ${sql.table(table)} (${sql.join(columns)}) values (${sql.join(all.map(([, value]) => value))})
      on conflict (${sql.join(entriesOf(key).map(([column]) => column))}) do update set ${sql.join(updates)}`;
}

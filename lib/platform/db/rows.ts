/**
 * Writes of single rows over the transaction's connection, for paths where Prisma's own time
 * counts. Row-level security applies. For data.ts files only.
 */

import {
  type Attempt,
  type Checkpoint,
  type CooldownAction,
  type Decision,
  type Handoff,
  type ModelWindow,
  type Pointer,
  Prisma,
  type ProjectEvent,
  type Session,
} from '@/generated/prisma/client';
import { columnOf, executeRaw } from './raw';
import type { TenantDb } from './tenant-db';

interface Tables {
  attempt: Attempt;
  cooldown_action: CooldownAction;
  decision: Decision;
  handoff: Handoff;
  model_window: ModelWindow;
  pointer: Pointer;
  project_event: ProjectEvent;
  session: Session;
  session_checkpoints: Checkpoint;
}

type Table = keyof Tables;

/** A JSON column takes an object, its text, or null for SQL's null. An array is PostgreSQL's. */
type Values<Name extends Table> = {
  [Field in keyof Tables[Name]]?: Tables[Name][Field] extends Prisma.JsonValue | null
    ? Tables[Name][Field] | object | null
    : Tables[Name][Field];
};

/** Fields that are undefined are left as they are. */
function entriesOf(values: object): [column: Prisma.Sql, value: unknown][] {
  return Object.entries(values).flatMap(([field, value]) =>
    value === undefined ? [] : [[Prisma.raw(`"${columnOf(field)}"`), value]],
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
  const changes = entriesOf(values).map(([column, value]) => Prisma.sql`${column} = ${value}`);
  return executeRaw(
    db,
    Prisma.sql`update ${Prisma.raw(table)} set ${Prisma.join(changes)}
      where organization_id = ${organizationId}::uuid and id = ${id}::uuid`,
  );
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
  const ending = skipsDuplicates ? Prisma.sql` on conflict do nothing` : Prisma.empty;
  const atOnce = Math.max(1, Math.floor(MAX_VALUES / Math.max(1, columns.length)));
  const inserts: Promise<number>[] = [];
  for (let from = 0; from < sets.length; from += atOnce) {
    const values = sets
      .slice(from, from + atOnce)
      .map((set) => Prisma.sql`(${Prisma.join(set.map(([, value]) => value))})`);
    const sql = Prisma.sql`insert into ${Prisma.raw(table)} (${Prisma.join(columns)}) values ${Prisma.join(values)}${ending}`;
    inserts.push(executeRaw(db, sql));
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
  const updates = entriesOf(values).map(([column]) => Prisma.sql`${column} = excluded.${column}`);
  return executeRaw(
    db,
    Prisma.sql`insert into ${Prisma.raw(table)} (${Prisma.join(columns)})
      values (${Prisma.join(all.map(([, value]) => value))})
      on conflict (${Prisma.join(entriesOf(key).map(([column]) => column))})
      do update set ${Prisma.join(updates)}`,
  );
}

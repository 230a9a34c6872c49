/**
 * SQL whose tables, columns and rows are typed by the Prisma schema, for what Prisma can't express well.
 * Kysely writes the statements; they are sent over the connections that Prisma uses. For data files only.
 */

import {
  CamelCasePlugin,
  type ColumnType,
  type CompiledQuery,
  DummyDriver,
  type JoinBuilder,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type StringReference,
  sql,
} from 'kysely';
import type pg from 'pg';
import type { Prisma } from '@/generated/prisma/client';
import { systemPool, tenantPool } from './clients';
import { columnOf, fieldOf, type RawDb } from './raw';
import { asStatement } from './statement';
import { rawConnection } from './tenant-db';

type Models = Prisma.TypeMap['model'];
type Fields<Name extends keyof Models> = Models[Name]['payload']['scalars'];
type Input<Name extends keyof Models> = Exclude<
  Models[Name]['operations']['createMany']['args']['data'],
  readonly unknown[]
>;

/** Columns with a default may be left out of an insert. */
type Columns<Values, Given> = {
  [Field in keyof Values]: ColumnType<
    Values[Field],
    Field extends keyof Given
      ? undefined extends Given[Field]
        ? Values[Field] | undefined
        : Values[Field]
      : Values[Field] | undefined,
    Values[Field]
  >;
};

type OtherTables = { User: 'userAccount'; Checkpoint: 'sessionCheckpoints' };

/** Every table, under the name of its model; its columns have the names of their fields. */
export type Database = {
  [Name in keyof Models as Name extends keyof OtherTables
    ? OtherTables[Name]
    : Uncapitalize<Name>]: Columns<Fields<Name>, Input<Name>>;
};

class FieldNames extends CamelCasePlugin {
  protected override snakeCase(field: string): string {
    return columnOf(field);
  }
}

/** Begins a statement. It is sent by one of the functions below. */
export const query = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  plugins: [new FieldNames()],
});

/** Tables whose rows have an id of their own within an organization. */
type IdTable = {
  [Table in keyof Database]: 'organizationId' | 'id' extends keyof Database[Table] ? Table : never;
}[keyof Database];

/** Begins a query for one row of an organization. */
export function byId<Table extends IdTable>(table: Table, organizationId: string, id: string) {
  return query
    .selectFrom(table as 'project')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id) as unknown as SelectQueryBuilder<Database, Table, object>;
}

/** A statement of `query`, or of Kysely's `sql`. */
export interface Query<Found> {
  compile(provider: QueryExecutorProvider): CompiledQuery<Found>;
}

/**
 * Runs a statement in a transaction: of a tenant or an account, where row-level security applies, or of a sweep.
 * It is sent at once, behind those that are still being carried out.
 *
 * @throws DatabaseError of pg, with PostgreSQL's code
 */
export async function rowsOf<Found>(db: RawDb, statement: Query<Found>): Promise<Found[]> {
  return asRows(await db[rawConnection].query(compiled(statement)));
}

/** @returns how many rows the statement changed */
export async function changedBy(db: RawDb, statement: Query<unknown>): Promise<number> {
  const { rowCount } = await db[rawConnection].query(compiled(statement));
  return rowCount ?? 0;
}

/** Returns what runs SQL in a transaction, as `rowsOf` does: `sqlRows(db)<Row>`select …``. */
export function sqlRows(db: RawDb) {
  return <Found>(...text: Parameters<typeof sql>) => rowsOf(db, sql<Found>(...text));
}

/** Returns what runs SQL in a transaction, as `changedBy` does: `sqlChanges(db)`update …``. */
export function sqlChanges(db: RawDb) {
  return (...text: Parameters<typeof sql>) => changedBy(db, sql(...text));
}

/**
 * Runs a statement of a sweep, which sees every organization. `reason` documents the call. PostgreSQL plans
 * it for its values each time.
 */
export async function systemRows<Found>(reason: string, statement: Query<Found>): Promise<Found[]> {
  return asRows(await asSystem(reason, statement));
}

/** @returns how many rows the statement changed in every organization */
export async function changedBySystem(reason: string, statement: Query<unknown>): Promise<number> {
  return (await asSystem(reason, statement)).rowCount ?? 0;
}

function asSystem(reason: string, statement: Query<unknown>): Promise<pg.QueryResult> {
  if (!reason) throw new Error('Work across organizations needs a reason.');
  return systemPool().query({ ...compiled(statement), name: '' });
}

/** Runs one of the narrow lookups that are needed before a tenant is known (schema `app`). */
export async function lookedUp<Found>(statement: Query<Found>): Promise<Found[]> {
  return asRows(await tenantPool().query(compiled(statement)));
}

function compiled(statement: Query<unknown>): pg.QueryConfig {
  const { sql: text, parameters } = statement.compile(query);
  return asStatement({ text, values: parameters });
}

function asRows<Found>({ rows, fields }: pg.QueryResult): Found[] {
  const names = fields.map(({ name }) => [name, fieldOf(name)] as const);
  return rows.map(
    (row: Record<string, unknown>) =>
      Object.fromEntries(names.map(([column, field]) => [field, row[column]])) as Found,
  );
}

export type Row<Table extends keyof Database> = Selectable<Database[Table]>;

/** JSON has no bigint, and a JSON column takes anything. */
export type Given<Values> = {
  [Field in keyof Values]?: Prisma.JsonValue extends Values[Field]
    ? unknown
    : bigint extends Values[Field]
      ? number | Exclude<Values[Field], bigint>
      : Values[Field];
};

/**
 * Returns rows that are sent as one value, with the columns of a table, of which those that aren't given are
 * null: a statement about many rows then has the same text for any number.
 */
export function given<Table extends keyof Database>(
  table: Table,
  rows: readonly Given<Row<Table>>[],
): RawBuilder<Row<Table>> {
  const records = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([field, value]) => [columnOf(field), value])),
  );
  return sql<
    Row<Table>
  >`(select * from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(records)}::jsonb))`;
}

/** Returns values as an array of SQL, to compare a column with: `.where('id', '=', anyOf(ids))`. */
export function anyOf<Value>(values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`any(${[...values]})`;
}

/** Returns statuses as literals, so that PostgreSQL finds the index that is made for them. */
export function literals<Value extends string>(...values: readonly Value[]): RawBuilder<Value> {
  return sql<Value>`(${sql.join(values.map((value) => sql.lit(value)))})`;
}

/** Returns a time as PostgreSQL's, where it can't tell the type by itself. */
export function instant(time: Date): RawBuilder<Date> {
  return sql<Date>`${time}::timestamptz`;
}

/** Returns a value for a JSON column. */
export function json(value: unknown): RawBuilder<Prisma.JsonValue> {
  return sql<Prisma.JsonValue>`${JSON.stringify(value)}::jsonb`;
}

/**
 * Returns what joins a table of an organization's rows: `.innerJoin('service as s', refers('c.serviceId', 's.id'))`.
 * Both rows are of the same organization.
 */
export function refers<From extends string, To extends string>(from: From, to: To) {
  const [own, other] = [from, to].map((column) => {
    return sql.ref(`${column.slice(0, column.indexOf('.'))}.organizationId`);
  });
  return <DB, Tables extends keyof DB>(
    join: JoinBuilder<DB, Tables> & Known<From | To, StringReference<DB, Tables>>,
  ): JoinBuilder<DB, Tables> =>
    join.on(sql<boolean>`${sql.ref(from)} = ${sql.ref(to)} and ${own} = ${other}`);
}

/** A column that isn't one of the joined tables' doesn't compile. */
type Known<Column, Columns> = [Column] extends [Columns] ? unknown : never;

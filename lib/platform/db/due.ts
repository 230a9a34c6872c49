/** Rows that are due: which of them a sweep handles next, and how it claims them. For data files only. */

import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { changedBySystem, type Database, systemRows } from './sql';

/** How many rows a sweep handles at once. */
interface Share {
  limit: number;
  /** At most so many of one organization. */
  perOrganization?: number;
  /** At most so many of one lane, if the rows have lanes. */
  perLane?: number;
}

export interface DueRow {
  id: string;
  organizationId: string;
  /** Null comes first. */
  dueAt: Date | null;
  /** Rows of one organization are also read round-robin by lane. */
  lane?: string;
}

/**
 * Returns due rows of every organization in turns: the one of each that has been due longest, then the second
 * of each, so that none waits behind another's thousands. A later statement has to change what makes them due.
 *
 * @param due a statement that selects the rows
 * @param without ids of rows that had their turn, as `inTurns` passes them
 */
export async function listDue<Row extends DueRow>(
  reason: string,
  due: Expression<Row>,
  share: Share & { without?: readonly string[] | undefined },
): Promise<Row[]> {
  const { limit, perLane, without = [] } = share;
  const others = without.length === 0 ? sql`true` : sql`id <> all(${[...without]}::uuid[])`;
  const order = sql`due_at nulls first, id`;
  const place = perLane
    ? sql`row_number() over (partition by organization_id, lane order by ${order})`
    : sql`1`;
  return systemRows(
    reason,
    sql<Row>`select * from (
        select placed.*, row_number() over (partition by organization_id order by place, ${order}) as turn
        from (select due.*, ${place} as place from ${due} due where ${others}) placed
        where place <= ${perLane ?? 1}
      ) ranked
      where ${isOfShare(share)} order by turn, ${order} limit ${limit}`,
  );
}

function isOfShare({ perOrganization }: Share) {
  return perOrganization === undefined ? sql`true` : sql`turn <= ${perOrganization}`;
}

/** Tables whose rows belong to organizations. */
type TenantTable = {
  [Table in keyof Database]: 'organizationId' extends keyof Database[Table] ? Table : never;
}[keyof Database];

interface Claim<Table extends TenantTable> extends Omit<Share, 'perLane'> {
  table: Table;
  /** The column that identifies a row within its organization. */
  key: keyof Database[Table] & string;
  dueAt: (row: ExpressionBuilder<Database, Table>) => Expression<Date | null>;
  isDue: (row: ExpressionBuilder<Database, Table>) => Expression<SqlBool>;
}

/**
 * Returns a query that locks due rows of every organization, in turns as `listDue`, without those that another
 * process has locked. The statement that it is part of has to put them off: until it may be their turn again,
 * so that one that fails, or whose process dies, comes after the others.
 *
 * Only for a CTE, `query.with('due', () => lockDue(…)).updateTable(…)`: PostgreSQL may plan a subquery of an
 * update as the inner side of a nested loop, which runs it again and again, each time locking other rows.
 */
export function lockDue<Table extends TenantTable>({
  table,
  key,
  ...claim
}: Claim<Table>): RawBuilder<{ organizationId: string; id: string }> {
  const row = expressionBuilder<Database, Table>();
  const name = sql.table(table);
  const column = sql.ref(`${table}.${key}`);
  const dueAt = claim.dueAt(row);
  // Asked again once a row is locked: another process may have put it off in the meantime.
  return sql`(select due_organization_id as organization_id, due_id as id from (
      select organization_id as due_organization_id, ${column} as due_id,
        row_number() over (partition by organization_id order by ${dueAt} nulls first, ${column}) as turn
      from ${name} where ${claim.isDue(row)}
    ) ranked
    join ${name} on ${column} = due_id and organization_id = due_organization_id
    where ${isOfShare(claim)} and ${claim.isDue(row)}
    order by turn, ${dueAt} nulls first limit ${claim.limit} for update of ${name} skip locked)`;
}

/**
 * Remembers which rows a sweep has listed, until it has listed all: after a full list it continues with the
 * others, so that rows which fail each time, or can't change, keep none from their turn.
 *
 * @param list returns at most `limit` rows that are due, without those ids
 */
export function inTurns<Given extends unknown[], Row extends { id: string }>(
  limit: number,
  list: (without: readonly string[], ...given: Given) => Promise<Row[]>,
): (...given: Given) => Promise<Row[]> {
  let had: string[] = [];
  return async (...given) => {
    const rows = await list(had, ...given);
    had = rows.length < limit ? [] : [...had, ...rows.map(({ id }) => id)];
    return rows;
  };
}

/**
 * Deletes rows of every organization whose retention has passed, at most `limit`: for `deleteInBatches`.
 *
 * @returns how many
 */
export function deletePast<Table extends keyof Database>(
  reason: string,
  table: Table,
  isPast: (row: ExpressionBuilder<Database, Table>) => Expression<SqlBool>,
  limit: number,
): Promise<number> {
  const name = sql.table(table);
  return changedBySystem(
    reason,
    sql`delete from ${name} where ctid = any(array(
      select ctid from ${name} where ${isPast(expressionBuilder<Database, Table>())} limit ${limit}))`,
  );
}

import { z } from 'zod';
import { InvalidError } from '../errors';
import { type IdPrefix, requireId } from '../ids';

export const MAX_PAGE = 100;

/** `?limit=&cursor=` of every list; extend it with the list's filters. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_PAGE).default(50),
  cursor: z.string().max(500).optional(),
});

/** What a list answers. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable() });
}

/** Opaque text for the position after a row: its sort values. */
export function encodeCursor(position: unknown): string {
  return Buffer.from(JSON.stringify(position), 'utf8').toString('base64url');
}

/** The position, or null for the first page. Throws InvalidError for text that is no cursor. */
export function decodeCursor<Schema extends z.ZodType>(
  cursor: string | undefined,
  position: Schema,
): z.output<Schema> | null {
  if (!cursor) return null;
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch {
    throw new InvalidError('The cursor is not valid for this list. Start without a cursor.', {
      cursor: 'not valid for this list',
    });
  }
}

/** Cuts `limit + 1` fetched rows to a page and names where the next one starts. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => unknown,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { rows: page, nextCursor: hasMore ? encodeCursor(positionOf(last)) : null };
}

/** What a list with both directions is asked for: ids of the rows that the page is below, or above. */
export interface TwoWayQuery {
  before?: string | undefined;
  after?: string | undefined;
  limit: number;
}

/** Ids to continue from with `before` and `after`; null at that end. */
export interface TwoWayEnds<Id = string> {
  olderThan: Id | null;
  newerThan: Id | null;
}

/** Which rows a page has: those below an id, or right above one. Ids are UUIDs. */
export interface Place {
  beforeId: string | null;
  afterId?: string | null;
  limit: number;
}

/** @throws NotFoundError for an id of something else */
export function placeOf(prefix: IdPrefix, { before, after, limit }: TwoWayQuery): Place {
  return {
    beforeId: before ? requireId(prefix, before) : null,
    afterId: after ? requireId(prefix, after) : null,
    limit,
  };
}

/**
 * Returns the condition, order and number of a page's rows for Prisma, one more than requested, newest first. The
 * ones right above a position come in ascending order.
 */
export function pageArgs({ beforeId, afterId, limit }: Place) {
  return {
    id: afterId ? { gt: afterId } : beforeId ? { lt: beforeId } : {},
    orderBy: { id: afterId ? ('asc' as const) : ('desc' as const) },
    take: limit + 1,
  };
}

/**
 * Cuts `limit + 1` rows, newest first, to a page of a list with both directions. The extra row is
 * the oldest one, or the newest one if the rows above a position were requested.
 */
export function twoWayPage<Row, Id>(
  found: readonly Row[],
  { before, after, limit }: { before?: Id | undefined; after?: Id | undefined; limit: number },
  idOf: (row: Row) => Id,
): TwoWayEnds<Id> & { rows: Row[] } {
  const hasMore = found.length > limit;
  const isUpwards = after !== undefined;
  const rows = isUpwards ? found.slice(-limit) : found.slice(0, limit);
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    rows,
    newerThan: first && (isUpwards ? hasMore : before !== undefined) ? idOf(first) : null,
    olderThan: last && (isUpwards || hasMore) ? idOf(last) : null,
  };
}

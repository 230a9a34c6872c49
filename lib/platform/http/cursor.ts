import { z } from 'zod';
import { InvalidError } from '../errors';

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

interface TwoWayPage<Row> {
  rows: Row[];
  hasNewer: boolean;
  hasOlder: boolean;
}

interface Asked {
  before?: string | undefined;
  after?: string | undefined;
  limit: number;
}

/**
 * Cuts `limit + 1` rows, newest first, to a page of a list with both directions. The extra row is
 * the oldest one, or the newest one if the rows above a position were requested.
 */
export function twoWayPage<Row>(found: readonly Row[], asked: Asked): TwoWayPage<Row> {
  const hasMore = found.length > asked.limit;
  if (asked.after !== undefined) {
    return { rows: found.slice(-asked.limit), hasNewer: hasMore, hasOlder: true };
  }
  return {
    rows: found.slice(0, asked.limit),
    hasNewer: asked.before !== undefined,
    hasOlder: hasMore,
  };
}

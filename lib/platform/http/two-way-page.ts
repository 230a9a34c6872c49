export interface TwoWayPage<Row> {
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
 * Cuts `limit + 1` rows, newest first, to a page of a list that is walked both ways. The row too
 * many is the oldest one, or the newest when the rows above a position were asked for.
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

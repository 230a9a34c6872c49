import { logger } from '../logger';

/** Rows deleted per statement: few enough to hold locks briefly. */
const BATCH = 20_000;

/**
 * Repeats a limited delete until nothing is left.
 *
 * @param deleteBatch deletes up to `limit` rows and returns how many it deleted
 */
export async function deleteInBatches(
  deleteBatch: (limit: number) => Promise<number>,
): Promise<void> {
  let deleted = BATCH;
  while (deleted === BATCH) deleted = await deleteBatch(BATCH);
}

const DAY_MS = 86_400_000;

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

/**
 * Processes the rows of a sweep, each in its own transaction. A row that fails is logged and left
 * for the next sweep: it must not keep those behind it waiting, which may be of other
 * organizations.
 *
 * @returns how many were dealt with
 */
export async function forEachRowIsolated<Row extends { id: string; organizationId: string }>(
  sweep: string,
  rows: readonly Row[],
  work: (row: Row) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  for (const row of rows) {
    try {
      await work(row);
      done += 1;
    } catch (error) {
      const { id, organizationId } = row;
      logger.error(
        { sweep, id, organizationId, error: String(error) },
        'sweep: row failed, will retry',
      );
    }
  }
  return done;
}

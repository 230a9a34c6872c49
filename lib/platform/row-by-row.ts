import { logger } from './logger';

/**
 * What a sweep does with the rows it has found, each in a transaction of its own. A row that cannot
 * be dealt with is logged and left for the next sweep: it must not keep those behind it waiting,
 * which may be of other organizations.
 *
 * @returns how many were dealt with
 */
export async function rowByRow<Row extends { id: string; organizationId: string }>(
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
      logger.error({ sweep, id, organizationId, error: String(error) }, 'a row was left behind');
    }
  }
  return done;
}

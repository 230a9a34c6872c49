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

/** When a result of a check is missing. Pure. */

/** How many intervals of a check may pass without a result before nothing is known. */
export const OVERDUE_INTERVALS = 2;
/** And how much more time, for what a runner keeps while it can't reach the control plane. */
export const OVERDUE_SLACK_SECONDS = 75;

/**
 * Returns for how long a check may have no result, in milliseconds.
 *
 * @param everySeconds its interval
 */
export function overdueAfterMs(everySeconds: number): number {
  return (everySeconds * OVERDUE_INTERVALS + OVERDUE_SLACK_SECONDS) * 1_000;
}

/** Returns when nothing is known of a check unless another result comes; null before its first one. */
export function overdueAt(check: { lastAt: Date | null; everySeconds: number }): Date | null {
  if (check.lastAt === null) return null;
  return new Date(check.lastAt.getTime() + overdueAfterMs(check.everySeconds));
}

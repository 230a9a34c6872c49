/** Ids are made at most this long before the time that their row says it was created. */
const SLACK_MS = 60_000;

/**
 * A UUID below those of all rows created at `since` or later: ids begin with the milliseconds of
 * their making (version 7), so an index on ids serves a list that is cut by time.
 *
 * It only narrows: rows of the minute before it are above it as well.
 */
export function idSince(since: Date): string {
  const hex = Math.max(0, since.getTime() - SLACK_MS)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

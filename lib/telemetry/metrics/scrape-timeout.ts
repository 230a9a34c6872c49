/** Prometheus' own default. */
const DEFAULT_SECONDS = 10;
/** The least and the most that is believed. */
const LEAST_SECONDS = 1;
const MOST_SECONDS = 30;
/** What is left of it for writing the answer and for its way. */
const SHARE = 0.8;

/**
 * Returns how long the answer to a scrape may take, in milliseconds.
 *
 * @param header `X-Prometheus-Scrape-Timeout-Seconds`; null if it is missing
 */
export function scrapeTimeoutMs(header: string | null): number {
  const given = header === null || header.trim() === '' ? DEFAULT_SECONDS : Number(header);
  const seconds = Number.isFinite(given) ? given : DEFAULT_SECONDS;
  return Math.min(Math.max(seconds, LEAST_SECONDS), MOST_SECONDS) * SHARE * 1_000;
}

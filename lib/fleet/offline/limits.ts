/** Longer silent than this, a runner is no news. */
export const STALE_DAYS = 7;

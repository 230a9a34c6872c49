const DAY_MS = 86_400_000;
/** Days that say how much a day costs now. */
const PACE_DAYS = 7;

/**
 * What the UTC month comes to at the pace of the last seven whole days; null while there is no
 * whole day to go by. `dayMicros` are sums by UTC day, newest last, today's being the last one.
 */
export function forecastMonth(
  monthMicros: number,
  dayMicros: readonly number[],
  now: Date,
): number | null {
  const whole = dayMicros.slice(0, -1).slice(-PACE_DAYS);
  if (whole.length === 0) return null;
  const pace = whole.reduce((sum, micros) => sum + micros, 0) / whole.length;
  const monthEnd = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const tomorrow = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS;
  const daysLeft = (monthEnd - tomorrow) / DAY_MS;
  const today = dayMicros.at(-1) ?? 0;
  return Math.round(monthMicros + Math.max(0, pace - today) + pace * daysLeft);
}

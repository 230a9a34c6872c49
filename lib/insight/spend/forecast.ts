const DAY_MS = 86_400_000;
/** Whole days that say how much a day costs now. */
const PACE_DAYS = 7;
/** Of fewer whole days nothing is forecast. */
export const MIN_PACE_DAYS = 3;

export interface Forecast {
  /** What the month comes to, in micro-dollars: expected, and at the cheapest and the most expensive pace. */
  micros: number;
  lowMicros: number;
  highMicros: number;
  /** Mean of the whole days that it goes by. */
  paceMicros: number;
  paceDays: number;
}

/**
 * Returns what the UTC month comes to if each day that is left costs the mean of the last seven
 * whole days; `lowMicros` and `highMicros` if each costs as little or as much as the cheapest or the
 * most expensive of them. Null while there are fewer than three whole days to go by.
 *
 * @param monthMicros booked this month, today included
 * @param dayMicros sums by UTC day, oldest first, today's being the last one
 */
export function forecastMonth(
  monthMicros: number,
  dayMicros: readonly number[],
  now: Date,
): Forecast | null {
  const whole = dayMicros.slice(0, -1).slice(-PACE_DAYS);
  if (whole.length < MIN_PACE_DAYS) return null;
  const today = dayMicros.at(-1) ?? 0;
  const at = (pace: number) =>
    Math.round(monthMicros + Math.max(0, pace - today) + pace * daysLeft(now));
  const paceMicros = whole.reduce((sum, micros) => sum + micros, 0) / whole.length;
  return {
    micros: at(paceMicros),
    lowMicros: at(Math.min(...whole)),
    highMicros: at(Math.max(...whole)),
    paceMicros: Math.round(paceMicros),
    paceDays: whole.length,
  };
}

/** Whole days of the UTC month after today. */
export function daysLeft(now: Date): number {
  const monthEnd = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const tomorrow = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS;
  return (monthEnd - tomorrow) / DAY_MS;
}

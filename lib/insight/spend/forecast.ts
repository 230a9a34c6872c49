import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireProject } from '@/lib/projects/manage-project';
import { listDaySums } from './data';
import { utcDayOf } from './span';

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

/** Today, and the whole days before it that make the pace. */
const LOOKED_BACK_DAYS = 8;

export interface MonthForecast {
  monthMicros: number;
  /** At the pace of the last week; null while there is no whole day to go by. */
  forecastMicros: number | null;
}

/** What the UTC month has cost and will come to; of the organization, or of one project. */
export function getForecast(
  scope: TenantScope,
  project: string | null,
  now = new Date(),
): Promise<MonthForecast> {
  return inTransaction(scope, async (db) => {
    const projectId = project ? (await requireProject(db, project)).id : null;
    const today = utcDayOf(now);
    const paceFrom = new Date(today.getTime() - (LOOKED_BACK_DAYS - 1) * DAY_MS);
    const monthFrom = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    const since = paceFrom < monthFrom ? paceFrom : monthFrom;
    const { organizationId } = scope;
    const sums = await listDaySums(db, { organizationId, projectId }, since);
    const microsOf = (day: Date) =>
      sums.find((sum) => sum.day === day.toISOString().slice(0, 10))?.micros;
    const monthMicros = sums
      .filter((sum) => sum.day >= monthFrom.toISOString().slice(0, 10))
      .reduce((total, sum) => total + sum.micros, 0);
    // Days before the first booking are no cheap days: they do not count.
    const days = Array.from({ length: LOOKED_BACK_DAYS }, (_, index) =>
      microsOf(new Date(paceFrom.getTime() + index * DAY_MS)),
    );
    const first = days.findIndex((micros) => micros !== undefined);
    const known = first === -1 ? [] : days.slice(first).map((micros) => micros ?? 0);
    return { monthMicros, forecastMicros: forecastMonth(monthMicros, known, now) };
  });
}

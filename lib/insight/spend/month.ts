import { formatCost, usdOf } from '@/lib/platform/format/cost';
import { formatCount, formatShare } from '@/lib/platform/format/count';
import { missingCell, type PlotTable, type PlotTableCell } from '../analytics/frame';
import { type Forecast, forecastMonth, MIN_PACE_DAYS } from './forecast';
import { utcDayOf } from './span';

const DAY_MS = 86_400_000;

export interface DaySum {
  /** `2026-11-21`, UTC. */
  day: string;
  micros: number;
}

interface MonthDay {
  startAt: Date;
  endAt: Date;
  /** `21 Nov`. */
  label: string;
  isToday: boolean;
  /** From the first of the month up to and with this day; null for a day ahead. */
  soFarMicros: number | null;
  /** What the forecast adds to it; null for a day that is over, and without a forecast. */
  aheadMicros: number | null;
}

export interface MonthPlot {
  /** Every day of the UTC month. */
  days: MonthDay[];
  monthMicros: number;
  limitMicros: number | null;
  /** Null with too little to go by. */
  forecast: Forecast | null;
  caption: string;
  table: PlotTable;
}

/** First day that is read: of the month, or of the week before today. */
export function monthReadFrom(now: Date): Date {
  const weekBefore = new Date(utcDayOf(now).getTime() - 7 * DAY_MS);
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return weekBefore < monthStart ? weekBefore : monthStart;
}

/**
 * Returns the month of `now` as sums up to each day, with the forecast for the days ahead.
 *
 * @param sums by UTC day since `monthReadFrom`, oldest first; days without a booking are left out
 * @param limitMicros the budget of the month; null without one
 */
export function monthPlot(
  sums: readonly DaySum[],
  limitMicros: number | null,
  now: Date,
): MonthPlot {
  const micros = new Map(sums.map((sum) => [sum.day, sum.micros]));
  const on = (day: Date) => micros.get(isoDay(day)) ?? 0;
  const today = utcDayOf(now);
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  const count = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const starts = Array.from(
    { length: count },
    (_, index) => new Date(Date.UTC(year, month, index + 1)),
  );
  const past = starts.filter((day) => day <= today);
  const monthMicros = past.reduce((sum, day) => sum + on(day), 0);
  const forecast = forecastMonth(monthMicros, knownDays(sums, today), now);
  let running = 0;
  const days = starts.map((startAt): MonthDay => {
    const isToday = startAt.getTime() === today.getTime();
    if (startAt <= today) running += on(startAt);
    const shared = {
      startAt,
      endAt: new Date(startAt.getTime() + DAY_MS),
      label: dayWords(startAt),
      isToday,
    };
    if (startAt < today) return { ...shared, soFarMicros: running, aheadMicros: null };
    const restOfToday = forecast ? Math.max(0, forecast.paceMicros - on(today)) : null;
    if (isToday) return { ...shared, soFarMicros: running, aheadMicros: restOfToday };
    const ahead = Math.round((startAt.getTime() - today.getTime()) / DAY_MS);
    return {
      ...shared,
      soFarMicros: null,
      aheadMicros:
        forecast && restOfToday !== null
          ? monthMicros + restOfToday + forecast.paceMicros * ahead
          : null,
    };
  });
  return {
    days,
    monthMicros,
    limitMicros,
    forecast,
    caption: captionOf(monthMicros, limitMicros, forecast, knownDays(sums, today), now),
    table: tableOf(days, on),
  };
}

/** Days before the first booking are no cheap days: they don't count. */
function knownDays(sums: readonly DaySum[], today: Date): number[] {
  const first = sums[0];
  if (!first) return [];
  const from = new Date(`${first.day}T00:00:00Z`);
  const length = Math.round((today.getTime() - from.getTime()) / DAY_MS) + 1;
  const micros = new Map(sums.map((sum) => [sum.day, sum.micros]));
  return Array.from(
    { length: Math.max(0, length) },
    (_, index) => micros.get(isoDay(new Date(from.getTime() + index * DAY_MS))) ?? 0,
  );
}

function captionOf(
  monthMicros: number,
  limitMicros: number | null,
  forecast: Forecast | null,
  known: readonly number[],
  now: Date,
): string {
  const share =
    limitMicros === null || limitMicros === 0
      ? ''
      : `, ${formatShare(monthMicros, limitMicros)} of the ${formatCost(limitMicros)} budget`;
  const soFar = `${formatCost(monthMicros)} so far in ${monthName(now)}${share}.`;
  return `${soFar} ${forecastSentence(forecast, limitMicros, known, now)}`;
}

function forecastSentence(
  forecast: Forecast | null,
  limitMicros: number | null,
  known: readonly number[],
  now: Date,
): string {
  if (!forecast) {
    const whole = Math.max(0, known.length - 1);
    const there = whole === 0 ? 'none yet' : `${whole} so far`;
    return `No forecast: it takes ${MIN_PACE_DAYS} whole days of spend, and there ${whole === 1 ? 'is' : 'are'} ${there}.`;
  }
  const { micros, lowMicros, highMicros, paceMicros, paceDays } = forecast;
  const budget =
    limitMicros === null
      ? ''
      : micros > limitMicros
        ? ', above the budget'
        : highMicros > limitMicros
          ? ', within the budget unless days cost more'
          : ', within the budget';
  return `Forecast for ${monthEnd(now)}: about ${formatCost(micros)}${budget}. It assumes ${formatCost(paceMicros)} a day, the mean of the last ${paceDays} whole days; the cheapest and the most expensive of them give ${formatCost(lowMicros)} to ${formatCost(highMicros)}.`;
}

function tableOf(days: readonly MonthDay[], on: (day: Date) => number): PlotTable {
  return {
    columns: [SPENT, SO_FAR, FORECAST].map((header) => ({ header, isNumber: true, unit: 'USD' })),
    rows: days.map(({ label, startAt, soFarMicros, aheadMicros }, bucket) => {
      const forecast = aheadMicros === null ? null : (soFarMicros ?? 0) + aheadMicros;
      return {
        bucket,
        header: label,
        cells: [
          soFarMicros === null ? missingCell('ahead') : costCell(on(startAt)),
          soFarMicros === null ? missingCell('—') : costCell(soFarMicros),
          forecast === null
            ? missingCell('—')
            : { ...costCell(forecast), text: `est. ${formatCost(forecast)}` },
        ],
      };
    }),
  };
}

const SPENT = 'That day';
/** Headers of the two series. */
export const SO_FAR = 'Month so far';
export const FORECAST = 'Forecast';

function costCell(micros: number): PlotTableCell {
  return { text: formatCost(micros), value: usdOf(micros) };
}

function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}

function dayWords(at: Date): string {
  const words = { timeZone: 'UTC', day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat('en-GB', words).format(at).replace('Sept', 'Sep');
}

function monthName(at: Date): string {
  return new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'long' }).format(at);
}

/** `30 Nov`. */
function monthEnd(now: Date): string {
  return dayWords(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)));
}

export interface Budget {
  /** Micro-dollars; null without one. */
  limitMicros: number | null;
  /** Why there is no line; empty where there is one. */
  absence: string;
}

/**
 * Returns the budget of several projects together: the sum of theirs, where each has one.
 *
 * @param limits of each project, in micro-dollars; null: none
 * @param kind `daily` or `monthly`
 */
export function joinBudgets(limits: readonly (number | null)[], kind: 'daily' | 'monthly'): Budget {
  const known = limits.filter((limit) => limit !== null);
  const isComplete = known.length === limits.length && known.length > 0;
  if (isComplete) return { limitMicros: known.reduce((sum, limit) => sum + limit, 0), absence: '' };
  const absence =
    limits.length <= 1
      ? `No ${kind} budget is set.`
      : `No line for the ${kind} budget: ${formatCount(limits.length - known.length)} of ${formatCount(limits.length)} projects have none.`;
  return { limitMicros: null, absence };
}

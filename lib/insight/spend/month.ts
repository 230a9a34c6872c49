import { formatCost } from '@/lib/platform/format/cost';
import { formatCount, formatShare } from '@/lib/platform/format/count';
import { utcDayOf } from './span';

const DAY_MS = 86_400_000;

/** Whole days that say how much a day costs now. */
const PACE_DAYS = 7;
/** Of fewer whole days nothing is forecast. */
const MIN_PACE_DAYS = 3;

export interface DaySum {
  /** `2026-11-21`, UTC. */
  day: string;
  micros: number;
}

interface Forecast {
  /** What the month comes to, in micro-dollars: expected, and at the cheapest and the most expensive pace. */
  micros: number;
  lowMicros: number;
  highMicros: number;
  /** Mean of the whole days that it goes by. */
  paceMicros: number;
  paceDays: number;
}

export interface SpendMonth {
  monthMicros: number;
  /** Null with too little to go by. */
  forecast: Forecast | null;
  /** What was spent, what share of the budget that is, and what the month will come to. */
  sentence: string;
}

/** First day that is read: of the month, or of the week before today. */
export function monthReadFrom(now: Date): Date {
  const weekBefore = new Date(utcDayOf(now).getTime() - 7 * DAY_MS);
  const monthStart = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return weekBefore < monthStart ? weekBefore : monthStart;
}

/**
 * Returns what was spent in the month of `now`, and the forecast for its end.
 *
 * @param sums by UTC day since `monthReadFrom`, oldest first; days without a booking are left out
 * @param limitMicros the budget of the month; null without one
 */
export function spendMonth(
  sums: readonly DaySum[],
  limitMicros: number | null,
  now: Date,
): SpendMonth {
  const month = isoDay(now).slice(0, 7);
  const monthMicros = sums
    .filter(({ day }) => day.startsWith(month) && day <= isoDay(now))
    .reduce((sum, { micros }) => sum + micros, 0);
  const known = knownDays(sums, utcDayOf(now));
  const forecast = forecastMonth(monthMicros, known, now);
  return {
    monthMicros,
    forecast,
    sentence: sentenceOf(monthMicros, limitMicros, forecast, known, now),
  };
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
function daysLeft(now: Date): number {
  const monthEnd = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  const tomorrow = (Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS;
  return (monthEnd - tomorrow) / DAY_MS;
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

function sentenceOf(
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

/** Spans of the spend pages: whole UTC days, as budgets count, and whole hours for the last 24. */

export const SPEND_RANGES = ['24h', '7d', '30d', '90d', 'month'] as const;
export type SpendRange = (typeof SPEND_RANGES)[number];

interface Span {
  from: Date;
  /** Not included. */
  to: Date;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;

export function utcDayOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

/** Up to and with today, or the current hour; `month` from its first day. */
export function spanOf(range: SpendRange, now: Date): Span {
  if (range === '24h') {
    const to = (Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS;
    return { from: new Date(to - DAY_MS), to: new Date(to) };
  }
  const today = utcDayOf(now);
  const to = new Date(today.getTime() + DAY_MS);
  if (range === 'month') {
    return { from: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)), to };
  }
  return { from: new Date(to.getTime() - DAYS[range] * DAY_MS), to };
}

/** `2026-11-21` as a day of UTC; null for anything else. */
export function spanOfDay(text: string): Span | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const from = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(from.getTime()) || from.toISOString().slice(0, 10) !== text) return null;
  return { from, to: new Date(from.getTime() + DAY_MS) };
}

/** Spans of the spend pages: whole UTC days, as budgets count, but for the last 24 hours. */

export const SPEND_RANGES = ['24h', '7d', '30d', '90d', 'month'] as const;
export type SpendRange = (typeof SPEND_RANGES)[number];

interface Span {
  from: Date;
  /** Not included. */
  to: Date;
}

const DAY_MS = 86_400_000;
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;

export function utcDayOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}

/** Up to and with today; `month` from its first day. */
export function spanOf(range: SpendRange, now: Date): Span {
  if (range === '24h') return { from: new Date(now.getTime() - DAY_MS), to: now };
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

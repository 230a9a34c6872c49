/** What a check found in each of the last 24 hours. Pure. */
import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import type { ServiceStatus } from './schema';

interface CountedHour {
  hour: Date;
  healthy: number;
  degraded: number;
  down: number;
  unknown: number;
  timed: number;
  totalMs: number;
  maxMs: number | null;
}

export interface HourCell {
  from: Date;
  /** The worst result of the hour: one failure of sixty isn’t hidden by the others. */
  state: ServiceStatus;
  /** `58 healthy, 2 down, 12ms on average`. */
  words: string;
}

const HOUR_MS = 3_600_000;
export const SHOWN_HOURS = 24;
const WORST_FIRST = ['down', 'degraded', 'healthy'] as const;
const ORDER = ['healthy', 'degraded', 'down', 'unknown'] as const;

/** Returns 24 cells, oldest first, the last one for the hour of `now`. Hours without a result are unknown. */
export function hourCells(rows: readonly CountedHour[], now: Date): HourCell[] {
  const current = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: SHOWN_HOURS }, (_, index) => {
    const from = new Date(current - (SHOWN_HOURS - 1 - index) * HOUR_MS);
    const row = rows.find(({ hour }) => hour.getTime() === from.getTime());
    return {
      from,
      state: WORST_FIRST.find((state) => row && row[state] > 0) ?? 'unknown',
      words: row ? wordsOf(row) : 'no results',
    };
  });
}

function wordsOf(row: CountedHour): string {
  const counts = ORDER.filter((state) => row[state] > 0).map((state) => `${row[state]} ${state}`);
  if (row.timed === 0) return counts.join(', ');
  const mean = formatDuration(Math.round(row.totalMs / row.timed));
  return [...counts, `${mean} on average, ${formatDuration(row.maxMs ?? 0)} at most`].join(', ');
}

/** `In the last 24 h: 1 hour with failures, 22 healthy hours, 1 hour without a known result.` */
export function hoursSentence(cells: readonly HourCell[]): string {
  const count = (...states: ServiceStatus[]) =>
    cells.filter(({ state }) => states.includes(state)).length;
  const failing = count('down', 'degraded');
  const parts = [
    failing > 0 ? `${formatCounted(failing, 'hour')} with failures` : null,
    `${formatCounted(count('healthy'), 'healthy hour')}`,
    count('unknown') > 0
      ? `${formatCounted(count('unknown'), 'hour')} without a known result`
      : null,
  ];
  return `In the last 24 h: ${parts.filter((part) => part !== null).join(', ')}.`;
}

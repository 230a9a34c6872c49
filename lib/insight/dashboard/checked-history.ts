/** A service's past by its own checks: time, not chains. Pure. */

import type { ServiceSpan } from '@/lib/monitoring/service-spans';
import { formatCounted } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { sumOf } from '../analytics/frame';
import type { ServiceStatus, TimeCell } from './schema';

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 24 * 3_600_000;

/** How a stretch of time divides into states, in milliseconds. */
interface TimeSums extends Record<ServiceStatus, number> {
  /** How many outages are in it, whole or in part. */
  outages: number;
}

/** @param spans of a service, without gaps, oldest first */
function sumsOf(spans: readonly ServiceSpan[], from: Date, to: Date): TimeSums {
  const sums = { healthy: 0, degraded: 0, down: 0, unknown: 0, outages: 0 };
  for (const span of spans) {
    const begin = Math.max(span.from.getTime(), from.getTime());
    const end = Math.min(span.to.getTime(), to.getTime());
    if (end <= begin) continue;
    sums[span.status] += end - begin;
    if (span.status === 'down') sums.outages += 1;
  }
  return sums;
}

function knownOf({ healthy, degraded, down }: TimeSums): number {
  return healthy + degraded + down;
}

function stateOf(sums: TimeSums): ServiceStatus {
  if (sums.down > 0) return 'down';
  if (sums.degraded > 0) return 'degraded';
  return sums.healthy > 0 ? 'healthy' : 'unknown';
}

/** `down for 4m 10s, unknown for 12m 00s`; `down for 8m 20s in 2 outages`; `healthy throughout`; `unknown`. */
function timeWords(sums: TimeSums): string {
  const { degraded, down, unknown, outages } = sums;
  if (knownOf(sums) === 0) return 'unknown';
  const outagesIn = outages > 1 ? ` in ${formatCounted(outages, 'outage')}` : '';
  const parts = [
    ...(down > 0 ? [`down for ${formatDuration(down)}${outagesIn}`] : []),
    ...(degraded > 0 ? [`degraded for ${formatDuration(degraded)}`] : []),
    ...(unknown > 0 ? [`unknown for ${formatDuration(unknown)}`] : []),
  ];
  if (down + degraded === 0) {
    return unknown > 0 ? ['healthy when checked', ...parts].join(', ') : 'healthy throughout';
  }
  return parts.join(', ');
}

/** Of known time: `99.72%`. Cut and never rounded up, so that only what was up throughout is `100%`. */
function uptimeShare(sums: TimeSums): string | null {
  const known = knownOf(sums);
  if (known === 0) return null;
  const up = known - sums.down;
  if (up === known) return '100%';
  const share = Math.floor((up / known) * 10_000) / 100;
  if (up > 0 && share === 0) return '<0.01%';
  return up === 0 ? '0%' : `${share.toFixed(2)}%`;
}

/**
 * Returns one cell a column. Any outage in it shows, however short; time without results takes away from its
 * width, so that it never looks healthy.
 *
 * @param columns oldest first; the last one may end after `now`
 */
export function timeCells(
  spans: readonly ServiceSpan[],
  columns: readonly { label: string; startAt: Date; endAt: Date }[],
  now: Date,
): TimeCell[] {
  return columns.map(({ label, startAt, endAt }) => {
    const to = endAt < now ? endAt : now;
    const sums = sumsOf(spans, startAt, to);
    const all = Math.max(1, to.getTime() - startAt.getTime());
    return {
      label,
      from: startAt,
      state: stateOf(sums),
      knownShare: knownOf(sums) / all,
      words: timeWords(sums),
    };
  });
}

/** What a list shows of a service: its last 24 hours, by half hours. */
export interface CheckedDay {
  cells: TimeCell[];
  /** `99.72%` of the time that is known; null if none is. */
  share: string | null;
  /** `down for 4m 10s, unknown for 2h 05m`. */
  words: string;
}

/** @param clock writes the time of day at which a cell begins */
export function checkedDay(
  spans: readonly ServiceSpan[],
  now: Date,
  clock: (at: Date) => string,
): CheckedDay {
  const current = Math.floor(now.getTime() / HALF_HOUR_MS) * HALF_HOUR_MS;
  const columns = Array.from({ length: DAY_MS / HALF_HOUR_MS }, (_, index) => {
    const end = current + HALF_HOUR_MS * (index + 2) - DAY_MS;
    const startAt = new Date(end - HALF_HOUR_MS);
    return { startAt, endAt: new Date(end), label: `From ${clock(startAt)}` };
  });
  const sums = sumsOf(spans, new Date(now.getTime() - DAY_MS), now);
  return {
    cells: timeCells(spans, columns, now),
    share: uptimeShare(sums),
    words: timeWords(sums),
  };
}

export const CHECKED_SPANS = [
  { hours: 24, label: '24 h' },
  { hours: 7 * 24, label: '7 d' },
  { hours: 30 * 24, label: '30 d' },
  { hours: 90 * 24, label: '90 d' },
] as const;

export interface CheckedUptime {
  label: string;
  /** `99.72%` of the time that is known; null if none is. */
  share: string | null;
  /** `down for 4m 10s, unknown for 2h 05m`. */
  words: string;
  /** Milliseconds; null when nothing was timed. */
  meanMs: number | null;
  maxMs: number | null;
}

/** Returns one row a span, each up to `now`. */
export function checkedUptime(
  spans: readonly ServiceSpan[],
  latencies: readonly { hours: number; meanMs: number | null; maxMs: number | null }[],
  now: Date,
): CheckedUptime[] {
  return CHECKED_SPANS.map(({ hours, label }) => {
    const sums = sumsOf(spans, new Date(now.getTime() - hours * 3_600_000), now);
    const latency = latencies.find((each) => each.hours === hours);
    return {
      label,
      share: uptimeShare(sums),
      words: timeWords(sums),
      meanMs: latency?.meanMs ?? null,
      maxMs: latency?.maxMs ?? null,
    };
  });
}

/** `In the last 24 hours, web was down for 4m 10s, unknown for 12m 00s.` */
export function checkedSentence(
  name: string,
  spans: readonly ServiceSpan[],
  { from, now, rangeWords }: { from: Date; now: Date; rangeWords: string },
): string {
  const sums = sumsOf(spans, from, now);
  if (knownOf(sums) === 0)
    return `Nothing is known of ${name} in ${rangeWords}: no check had a result.`;
  return `In ${rangeWords}, ${name} was ${timeWords(sums)}.`;
}

/** One hour of a service's checks, as the line of its latency shows it. */
export interface HourLatency {
  at: Date;
  /** Mean of what was timed; null where nothing was: a gap. */
  ms: number | null;
}

/** Returns the mean of each hour, oldest first. */
export function hourLatencies(
  rows: readonly { hour: Date; timed: number; totalMs: number }[],
  { hours, now }: { hours: number; now: Date },
): HourLatency[] {
  const current = Math.floor(now.getTime() / 3_600_000);
  return Array.from({ length: hours }, (_, index) => {
    const at = new Date((current - hours + 1 + index) * 3_600_000);
    const own = rows.filter(({ hour }) => hour.getTime() === at.getTime());
    const timed = sumOf(own, (row) => row.timed);
    return { at, ms: timed > 0 ? sumOf(own, (row) => row.totalMs) / timed : null };
  });
}

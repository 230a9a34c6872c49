/** A service's past as figures: by column of the strip, and over the last day, week and month. */

import { formatCount, formatCounted, formatShare } from '@/lib/platform/format/count';
import { fillBuckets, type PlotFrame, sumOf } from '../analytics/frame';
import type { ServiceStatus } from './schema';
import type { HealthBucketRow, LatencyRow, UptimeRow } from './service-data';

/** Chains by the worst that each found. */
interface HealthCounts {
  healthy: number;
  degraded: number;
  down: number;
  /** Of those that found the service failing: it was healthy at their end, after tier 2 or 3. */
  repaired: number;
}

export interface HealthBucket extends HealthCounts {
  label: string;
  isCurrent: boolean;
  from: Date;
  to: Date;
  /** The worst that was found; `unknown` where no chain checked. */
  state: ServiceStatus;
  chains: number;
}

export function healthHistory(frame: PlotFrame, rows: readonly HealthBucketRow[]): HealthBucket[] {
  return fillBuckets(frame.buckets.length, rows, (found, index): HealthBucket => {
    const bucket = frame.buckets[index];
    const counts = {
      healthy: sumOf(found, (row) => row.healthy),
      degraded: sumOf(found, (row) => row.degraded),
      down: sumOf(found, (row) => row.down),
      repaired: sumOf(found, (row) => row.repaired),
    };
    return {
      ...counts,
      label: frame.labels[index]?.long ?? '',
      isCurrent: bucket?.isCurrent ?? false,
      from: bucket?.startAt ?? frame.now,
      to: bucket?.endAt ?? frame.now,
      state: stateOf(counts),
      chains: chainsOf(counts),
    };
  });
}

function stateOf({ healthy, degraded, down }: HealthCounts): ServiceStatus {
  if (down > 0) return 'down';
  if (degraded > 0) return 'degraded';
  return healthy > 0 ? 'healthy' : 'unknown';
}

function chainsOf({ healthy, degraded, down }: HealthCounts): number {
  return healthy + degraded + down;
}

/** `down in 3 of 7 chains, repaired in 3`; `healthy in all 7 chains`; `no chain checked it`. */
export function healthWords(counts: HealthCounts): string {
  const chains = chainsOf(counts);
  const { healthy, degraded, down, repaired } = counts;
  if (chains === 0) return 'no chain checked it';
  if (healthy === chains) {
    return chains === 1
      ? 'healthy in the only chain'
      : `healthy in all ${formatCount(chains)} chains`;
  }
  const of = `of ${formatCounted(chains, 'chain')}`;
  const states = [
    ...(down > 0 ? [`down in ${formatCount(down)}`] : []),
    ...(degraded > 0 ? [`degraded in ${formatCount(degraded)}`] : []),
  ];
  const fixed = repaired > 0 ? `, repaired in ${formatCount(repaired)}` : '';
  return `${states.join(' and ')} ${of}${fixed}`;
}

/** `web was down in 3 of 7 chains of the last 7 days, repaired in 3.` */
export function historySentence(
  name: string,
  history: readonly HealthBucket[],
  rangeWords: string,
): string {
  const counts = {
    healthy: sumOf(history, (bucket) => bucket.healthy),
    degraded: sumOf(history, (bucket) => bucket.degraded),
    down: sumOf(history, (bucket) => bucket.down),
    repaired: sumOf(history, (bucket) => bucket.repaired),
  };
  if (chainsOf(counts) === 0) return `No chain has checked ${name} in ${rangeWords}.`;
  return `In ${rangeWords}, ${name} was ${healthWords(counts)}.`;
}

export const UPTIME_SPANS = [
  { hours: 24, label: '24 h' },
  { hours: 7 * 24, label: '7 d' },
  { hours: 30 * 24, label: '30 d' },
] as const;

export interface Uptime {
  label: string;
  chains: number;
  /** `57%` of the chains found it up throughout; null when none checked it. */
  share: string | null;
  /** `down in 3 of 7 chains, repaired in 3`. */
  words: string;
  state: ServiceStatus;
  /** Milliseconds; null when nothing was timed. */
  p50: number | null;
  p95: number | null;
}

/** One a span; a service is up in a chain that never found it down. */
export function uptimeOf(rows: readonly UptimeRow[]): Uptime[] {
  return UPTIME_SPANS.map(({ hours, label }) => {
    const row = rows.find((each) => each.hours === hours);
    const counts = row ?? { healthy: 0, degraded: 0, down: 0, repaired: 0 };
    const chains = chainsOf(counts);
    return {
      label,
      chains,
      share: chains === 0 ? null : shareOf(chains - counts.down, chains),
      words: healthWords(counts),
      state: stateOf(counts),
      p50: row?.p50 ?? null,
      p95: row?.p95 ?? null,
    };
  });
}

/** Less than everything is never rounded up to `100%`. */
function shareOf(part: number, whole: number): string {
  const share = formatShare(part, whole);
  return share === '100%' && part < whole ? '>99%' : share;
}

/** One measurement of a service's checks, as its line shows it. */
export interface LatencyPoint {
  at: Date;
  chainNumber: number;
  /** Null when the check failed, or wasn't timed: a gap. */
  ms: number | null;
}

/** Oldest first. `rows` are newest first. */
export function latencyPoints(rows: readonly LatencyRow[]): LatencyPoint[] {
  return rows.toReversed().map(({ at, status, responseTimeMs, chain }) => ({
    at,
    chainNumber: chain.number,
    ms: status === 'down' ? null : responseTimeMs,
  }));
}

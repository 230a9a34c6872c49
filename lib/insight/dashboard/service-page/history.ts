import { fillBuckets, sumOf } from '@/lib/insight/analytics/fill';
import type { PlotFrame } from '@/lib/insight/analytics/frame';
import type { HealthDayRow } from '@/lib/insight/analytics/health/data';
import type { ServiceStatus } from '../schema';

export interface HealthBucket {
  label: string;
  isCurrent: boolean;
  from: Date;
  to: Date;
  /** The worst that was found; `unknown` where nobody looked. */
  state: ServiceStatus;
  /** Cycles that looked, and those of them that found it as it should be. */
  cycles: number;
  healthy: number;
}

export function healthHistory(frame: PlotFrame, rows: readonly HealthDayRow[]): HealthBucket[] {
  return fillBuckets(frame.buckets.length, rows, (found, index): HealthBucket => {
    const bucket = frame.buckets[index];
    const healthy = sumOf(found, (row) => row.healthy);
    const degraded = sumOf(found, (row) => row.degraded);
    const down = sumOf(found, (row) => row.down);
    return {
      label: frame.labels[index]?.long ?? '',
      isCurrent: bucket?.isCurrent ?? false,
      from: bucket?.startAt ?? frame.now,
      to: bucket?.endAt ?? frame.now,
      state: down > 0 ? 'down' : degraded > 0 ? 'degraded' : healthy > 0 ? 'healthy' : 'unknown',
      cycles: healthy + degraded + down,
      healthy,
    };
  });
}

/** `web was healthy in 1,204 of 1,210 cycles of the last 30 days.` */
export function historySentence(
  name: string,
  history: readonly HealthBucket[],
  rangeWords: string,
): string {
  const cycles = sumOf(history, (bucket) => bucket.cycles);
  if (cycles === 0) return `No cycle has checked ${name} in ${rangeWords}.`;
  const healthy = sumOf(history, (bucket) => bucket.healthy);
  const all = cycles === 1 ? 'the 1 cycle' : `all ${cycles.toLocaleString('en')} cycles`;
  if (healthy === cycles) return `${name} was healthy in ${all} of ${rangeWords}.`;
  return `${name} was healthy in ${healthy.toLocaleString('en')} of ${cycles.toLocaleString('en')} cycles of ${rangeWords}.`;
}

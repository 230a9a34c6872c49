import { formatCount } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import {
  countCell,
  fillBuckets,
  missingCell,
  type PlotFrame,
  type PlotResult,
  type PlotTableCell,
  percentile,
} from '../frame';
import type { OpenOutageRow, OutageRow } from '../times-data';

export interface SpreadPoint {
  /** Seconds. */
  p50: number;
  p95: number;
  /** How many it is made of. */
  count: number;
}

interface OpenOutage {
  service: string;
  project: { slug: string; name: string };
  status: 'down' | 'degraded';
  since: Date | null;
}

export interface RecoveryPlot extends PlotResult<SpreadPoint> {
  /** Not ended, so in no bucket: listed under the plot. */
  open: OpenOutage[];
}

/** How long outages took, in the bucket of their end. */
export function recoveryPlot(
  frame: PlotFrame,
  outages: readonly OutageRow[],
  open: readonly OpenOutageRow[],
): RecoveryPlot {
  const points = fillBuckets(frame.buckets.length, outages, spreadOf);
  return {
    points,
    open: open.map((row) => ({
      service: row.name,
      project: row.project,
      status: row.status === 'down' ? 'down' : 'degraded',
      since: row.failingSince ?? row.statusSince,
    })),
    caption: captionOf(spreadOf(outages), open.length, frame),
    table: {
      columns: [
        { header: 'p50', isNumber: true, unit: 'seconds' },
        { header: 'p95', isNumber: true, unit: 'seconds' },
        { header: 'Outages', isNumber: true },
      ],
      rows: [
        ...points.map((point, bucket) => ({
          bucket,
          header: frame.labels[bucket]?.long ?? '',
          cells: point
            ? [secondsCell(point.p50), secondsCell(point.p95), countCell(point.count)]
            : Array.from({ length: 3 }, () => missingCell('none ended')),
        })),
        ...open.map((row) => ({
          bucket: null,
          header: `${row.project.name}: ${row.name}`,
          cells: [missingCell(`still ${row.status}`), missingCell('—'), missingCell('—')],
        })),
      ],
    },
    isEmpty: outages.length === 0 && open.length === 0,
  };
}

function spreadOf(outages: readonly OutageRow[]): SpreadPoint | null {
  const seconds = outages.map((outage) => outage.seconds);
  const [p50, p95] = [percentile(seconds, 0.5), percentile(seconds, 0.95)];
  return p50 === null || p95 === null ? null : { p50, p95, count: seconds.length };
}

function captionOf(spread: SpreadPoint | null, open: number, { rangeWords }: PlotFrame): string {
  const still = open === 0 ? '' : open === 1 ? ' 1 is still open.' : ` ${open} are still open.`;
  if (!spread) return `No outage ended in ${rangeWords}.${still}`;
  if (spread.count === 1)
    return `1 outage ended in ${rangeWords}, after ${durationOf(spread.p50)}.${still}`;
  return `Time to recovery over ${formatCount(spread.count)} outages: p50 ${durationOf(spread.p50)}, p95 ${durationOf(spread.p95)}.${still}`;
}

function durationOf(seconds: number): string {
  return formatDuration(seconds * 1_000);
}

/** The value is in seconds. */
export function secondsCell(seconds: number): PlotTableCell {
  return { text: durationOf(seconds), value: Math.round(seconds * 1_000) / 1_000 };
}

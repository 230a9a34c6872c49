import { formatCount } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { countCell, fillBuckets, missingCell, type PlotFrame, type PlotResult } from '../frame';
import type { WaitRow } from '../times-data';
import { type SpreadPoint, secondsCell } from './recovery';

export interface WaitPlot extends PlotResult<SpreadPoint> {
  /** The pool that is drawn; null where nothing started. */
  pool: string | null;
  /** To choose from, the busiest first. */
  pools: string[];
}

/** How long starts waited, in the bucket of the start, for one pool: the busiest unless another is asked for. */
export function waitPlot(
  frame: PlotFrame,
  rows: readonly WaitRow[],
  wanted: string | null,
): WaitPlot {
  const totals = rows
    .filter((row) => row.bucket === null)
    .toSorted((one, other) => other.count - one.count || one.pool.localeCompare(other.pool));
  const total = totals.find((row) => row.pool === wanted) ?? totals[0] ?? null;
  const ofPool = rows.flatMap((row) =>
    row.bucket !== null && row.pool === total?.pool ? [{ ...row, bucket: row.bucket }] : [],
  );
  const points = fillBuckets(frame.buckets.length, ofPool, ([row]) =>
    row ? { p50: row.p50, p95: row.p95, count: row.count } : null,
  );
  return {
    points,
    pool: total?.pool ?? null,
    pools: totals.map((row) => row.pool),
    caption: captionOf(total, frame),
    table: {
      columns: [
        { header: 'p50', isNumber: true, unit: 'seconds' },
        { header: 'p95', isNumber: true, unit: 'seconds' },
        { header: 'Starts', isNumber: true },
      ],
      rows: points.map((point, bucket) => ({
        bucket,
        header: frame.labels[bucket]?.long ?? '',
        cells: point
          ? [secondsCell(point.p50), secondsCell(point.p95), countCell(point.count)]
          : Array.from({ length: 3 }, () => missingCell('nothing started')),
      })),
    },
    isEmpty: total === null,
  };
}

function captionOf(total: WaitRow | null, { rangeWords }: PlotFrame): string {
  if (!total) return `Nothing waited in ${rangeWords}.`;
  const words = (seconds: number) => formatDuration(seconds * 1_000);
  const starts = total.count === 1 ? '1 start' : `${formatCount(total.count)} starts`;
  return `Queue wait in pool ${total.pool} over ${starts}: p50 ${words(total.p50)}, p95 ${words(total.p95)}.`;
}

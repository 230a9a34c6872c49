import { formatCount } from '@/lib/platform/format/count';
import { formatShare } from '@/lib/platform/format/tokens';
import { fillBuckets, sumOf } from '../fill';
import type { PlotFrame, PlotResult } from '../frame';
import { countCell, missingCell } from '../table';
import type { HopRow } from './data';
import { reasonWords } from './reason-words';

export interface HopsPoint {
  resumed: number;
  handoff: number;
  /** Handed off after a resume was tried and failed. */
  fallback: number;
}

export interface HandoffReason {
  code: string;
  words: string;
  count: number;
}

export interface HopsPlot extends PlotResult<HopsPoint> {
  /** Why it was handed off instead of resumed, most often first. */
  reasons: HandoffReason[];
}

/** Escalations by how the next tier started, in the bucket of that session. */
export function hopsPlot(frame: PlotFrame, rows: readonly HopRow[]): HopsPlot {
  const points = fillBuckets(frame.buckets.length, rows, (found) =>
    found.length === 0 ? null : pointOf(found),
  );
  return {
    points,
    reasons: reasonsOf(rows),
    caption: captionOf(pointOf(rows), frame),
    table: {
      columns: ['Resumed', 'Handed off', 'Handed off after a failed resume', 'All'].map(
        (header) => ({ header, isNumber: true }),
      ),
      rows: points.map((point, bucket) => ({
        bucket,
        header: frame.labels[bucket]?.long ?? '',
        cells: point
          ? [point.resumed, point.handoff, point.fallback, allOf(point)].map(countCell)
          : Array.from({ length: 4 }, () => missingCell('no hops')),
      })),
    },
    isEmpty: rows.length === 0,
  };
}

function pointOf(rows: readonly HopRow[]): HopsPoint {
  const hops = (found: readonly HopRow[]) => sumOf(found, (row) => row.hops);
  const handoffs = rows.filter((row) => row.mechanism === 'handoff');
  return {
    resumed: hops(rows.filter((row) => row.mechanism === 'resume')),
    handoff: hops(handoffs.filter((row) => !row.isFallback)),
    fallback: hops(handoffs.filter((row) => row.isFallback)),
  };
}

export function allOf({ resumed, handoff, fallback }: HopsPoint): number {
  return resumed + handoff + fallback;
}

function reasonsOf(rows: readonly HopRow[]): HandoffReason[] {
  const handoffs = rows.filter((row) => row.mechanism === 'handoff');
  return [...new Set(handoffs.map((row) => row.reason))]
    .map((code) => ({
      code,
      words: reasonWords(code),
      count: sumOf(
        handoffs.filter((row) => row.reason === code),
        (row) => row.hops,
      ),
    }))
    .toSorted((one, other) => other.count - one.count || one.code.localeCompare(other.code));
}

function captionOf(all: HopsPoint, { rangeWords }: PlotFrame): string {
  const total = allOf(all);
  if (total === 0) return `No tier handed over to the next in ${rangeWords}.`;
  const words = `${formatShare(all.resumed, total)} of ${formatCount(total)} ${total === 1 ? 'escalation' : 'escalations'} continued the conversation, ${formatShare(all.handoff + all.fallback, total)} started from the handoff`;
  return all.fallback > 0
    ? `${words}; ${formatCount(all.fallback)} of them after a failed resume.`
    : `${words}.`;
}

import { formatCount, formatShare } from '@/lib/platform/format/count';
import type { FixCountRow } from '../data';
import {
  fillBuckets,
  missingCell,
  type PlotFrame,
  type PlotResult,
  type PlotTableCell,
  sumOf,
} from '../frame';

export interface Fixes {
  /** Fixes that the chains of a tier reported. */
  all: number;
  /** The next chain that checked found the services healthy. */
  confirmed: number;
  /** The next chain that checked found the same service unhealthy again. */
  cameBack: number;
}

interface FixesPoint {
  tier2: Fixes;
  tier3: Fixes;
}

export type FixesPlot = PlotResult<FixesPoint>;

/** Reported fixes by the last tier of their chain; tier 1 only observes and fixes nothing. */
export function fixesPlot(frame: PlotFrame, rows: readonly FixCountRow[]): FixesPlot {
  const byTier = (found: readonly FixCountRow[]): FixesPoint => ({
    tier2: fixesOf(found.filter((row) => row.tier <= 2)),
    tier3: fixesOf(found.filter((row) => row.tier === 3)),
  });
  const points = fillBuckets(frame.buckets.length, rows, (found) =>
    found.length === 0 ? null : byTier(found),
  );
  const total = fixesOf(rows);
  return {
    points,
    caption: captionOf(total, frame),
    table: {
      columns: [
        ...['Tier 2 confirmed', 'Tier 2 came back', 'Tier 3 confirmed', 'Tier 3 came back'],
      ].map((header) => ({ header, isNumber: true })),
      rows: points.map((point, bucket) => ({
        bucket,
        header: frame.labels[bucket]?.long ?? '',
        cells: point
          ? [point.tier2, point.tier3].flatMap(({ all, confirmed, cameBack }) => [
              partCell(confirmed, all),
              partCell(cameBack, all),
            ])
          : Array.from({ length: 4 }, () => missingCell('no fixes')),
      })),
    },
    isEmpty: total.all === 0,
  };
}

function fixesOf(rows: readonly FixCountRow[]): Fixes {
  const count = (found: readonly FixCountRow[]) => sumOf(found, (row) => row.fixes);
  return {
    all: count(rows),
    confirmed: count(rows.filter((row) => row.standing === 'confirmed')),
    cameBack: count(rows.filter((row) => row.standing === 'came_back')),
  };
}

function captionOf({ all, confirmed, cameBack }: Fixes, { rangeWords }: PlotFrame): string {
  if (all === 0) return `Nothing needed fixing in ${rangeWords}.`;
  const fixes = all === 1 ? '1 reported fix' : `${formatCount(all)} reported fixes`;
  const open = all - confirmed - cameBack;
  const rest = [
    cameBack > 0 ? `${formatCount(cameBack)} came back` : null,
    open > 0 ? `${formatCount(open)} not confirmed yet` : null,
  ].filter((part) => part !== null);
  const words = `The next chain confirmed ${formatCount(confirmed)} of ${fixes}`;
  return rest.length > 0 ? `${words}; ${rest.join(', ')}.` : `${words}.`;
}

function partCell(part: number, whole: number): PlotTableCell {
  if (whole === 0) return missingCell('—');
  return { text: `${formatShare(part, whole)} · ${part} of ${whole}`, value: part };
}

import { ASK_TIER } from '@/lib/engine/statuses';
import { formatCost, usdOf } from '@/lib/platform/format/cost';
import { formatShare } from '@/lib/platform/format/count';
import type { CostRow } from '../data';
import { type PlotFrame, type PlotResult, type PlotTableCell, plotOf, sumOf } from '../frame';

/** Micro-dollars. */
interface CostPoint {
  tier1: number;
  tier2: number;
  tier3: number;
  /** Answers to operators. */
  ask: number;
  overhead: number;
  /** The part of all five that is an estimate. */
  estimate: number;
}

export const COST_SERIES = ['tier1', 'tier2', 'tier3', 'ask', 'overhead'] as const;
export const COST_WORDS: Record<(typeof COST_SERIES)[number], string> = {
  tier1: 'Tier 1',
  tier2: 'Tier 2',
  tier3: 'Tier 3',
  ask: 'Ask',
  overhead: 'Overhead',
};

/** After "61%". */
const PART_WORDS: Record<(typeof COST_SERIES)[number], string> = {
  tier1: 'by tier 1',
  tier2: 'by tier 2',
  tier3: 'by tier 3',
  ask: 'for answers',
  overhead: 'overhead',
};

export interface CostPlot extends PlotResult<CostPoint> {
  /** The budget of a day where a column is a day of one project; else null. */
  limitMicros: number | null;
}

/** What was booked, in the bucket of its booking. */
export function costPlot(
  frame: PlotFrame,
  rows: readonly CostRow[],
  limitMicros: number | null,
): CostPlot {
  const headers = [...COST_SERIES.map((series) => COST_WORDS[series]), 'All', 'Estimated'];
  const plot = plotOf(frame, rows, {
    caption: captionOf(pointOf(rows), frame),
    pointOf,
    columns: headers.map((header) => ({ header, isNumber: true, unit: 'USD' })),
    cellsOf: (point) =>
      [...COST_SERIES.map((series) => point[series]), totalOf(point), point.estimate].map(costCell),
    nothing: 'nothing booked',
    isEmpty: rows.length === 0,
  });
  return { ...plot, limitMicros };
}

function pointOf(rows: readonly CostRow[]): CostPoint {
  const micros = (found: readonly CostRow[]) => sumOf(found, (row) => row.micros);
  const ofTier = (tier: number) => rows.filter((row) => row.tier === tier && !row.isOverhead);
  return {
    tier1: micros(ofTier(1)),
    tier2: micros(ofTier(2)),
    tier3: micros(ofTier(3)),
    ask: micros(ofTier(ASK_TIER)),
    overhead: micros(rows.filter((row) => row.isOverhead)),
    estimate: sumOf(rows, (row) => row.estimateMicros),
  };
}

export function totalOf(point: CostPoint): number {
  return sumOf(COST_SERIES, (series) => point[series]);
}

function captionOf(all: CostPoint, { rangeWords }: PlotFrame): string {
  const total = totalOf(all);
  if (total === 0) return `Nothing was spent in ${rangeWords}.`;
  const most = COST_SERIES.reduce((one, other) => (all[other] > all[one] ? other : one));
  const words = `${formatCost(total)} in ${rangeWords}: ${formatShare(all[most], total)} ${PART_WORDS[most]}`;
  const rest =
    most !== 'overhead' && all.overhead > 0 ? `, ${formatCost(all.overhead)} overhead` : '';
  const estimate = all.estimate > 0 ? ` ${formatCost(all.estimate)} is estimated.` : '';
  return `${words}${rest}.${estimate}`;
}

/** The value is in dollars. */
function costCell(micros: number): PlotTableCell {
  return { text: formatCost(micros), value: usdOf(micros) };
}

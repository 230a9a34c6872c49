import { formatCount, formatShare } from '@/lib/platform/format/count';
import type { ChainCountRow } from '../data';
import {
  missingCell,
  type PlotFrame,
  type PlotResult,
  type PlotTableCell,
  plotOf,
  sumOf,
} from '../frame';

/** Fewer chains than this make a rate that says little: it is drawn hollow. */
export const FEW = 5;

export interface Rate {
  part: number;
  whole: number;
}

interface EscalationPoint {
  /** Of the chains that reached tier 1, those that escalated to tier 2. */
  toTier2: Rate;
  /** Of the chains that reached tier 2, those that escalated to tier 3. */
  toTier3: Rate;
}

export type EscalationPlot = PlotResult<EscalationPoint>;

/** A chain that was started manually at a higher tier did not reach it by escalation. */
export function escalationPlot(frame: PlotFrame, rows: readonly ChainCountRow[]): EscalationPlot {
  const ran = rows.filter((row) => row.highestTier >= 1);
  const all = pointOf(ran);
  return plotOf(frame, ran, {
    caption: captionOf(all, frame),
    pointOf,
    columns: [
      { header: 'Tier 1 to 2', isNumber: true, unit: 'share' },
      { header: 'Tier 2 to 3', isNumber: true, unit: 'share' },
    ],
    cellsOf: ({ toTier2, toTier3 }) => [rateCell(toTier2), rateCell(toTier3)],
    nothing: 'no chains',
    isEmpty: all.toTier2.whole + all.toTier3.whole === 0,
  });
}

function pointOf(rows: readonly ChainCountRow[]): EscalationPoint {
  const rate = (from: number): Rate => {
    const reached = rows.filter((row) => row.startTier <= from && row.highestTier >= from);
    return {
      part: sumOf(
        reached.filter((row) => row.highestTier > from),
        (row) => row.chains,
      ),
      whole: sumOf(reached, (row) => row.chains),
    };
  };
  return { toTier2: rate(1), toTier3: rate(2) };
}

function captionOf({ toTier2, toTier3 }: EscalationPoint, { rangeWords }: PlotFrame): string {
  if (toTier2.whole + toTier3.whole === 0) return `No chain reached a decision in ${rangeWords}.`;
  const third =
    toTier3.part === 0
      ? 'none to tier 3'
      : `${formatCount(toTier3.part)} of ${formatCount(toTier3.whole)} then escalated to tier 3`;
  if (toTier2.whole === 0) return `No chain reached the decision of tier 1; ${third}.`;
  const chains = toTier2.whole === 1 ? '1 chain' : `${formatCount(toTier2.whole)} chains`;
  return `${formatCount(toTier2.part)} of ${chains} escalated to tier 2; ${third}.`;
}

/** `12% of 41`. */
function rateCell({ part, whole }: Rate): PlotTableCell {
  if (whole === 0) return missingCell('—');
  return { text: `${formatShare(part, whole)} of ${formatCount(whole)}`, value: part / whole };
}

import { formatCount } from '@/lib/platform/format/count';
import type { ChainCountRow } from '../data';
import { countCell, type PlotFrame, type PlotResult, plotOf, sumOf } from '../frame';
import type { ChainOutcome } from '../labels';

/** From the base of a bar upwards: what went wrong stands where it is easiest to compare. */
const OUTCOME_ORDER: readonly ChainOutcome[] = [
  'needs_human',
  'failed',
  'lost',
  'findings',
  'suppressed',
  'stopped',
  'skipped',
  'fixed',
  'healthy',
];

export const OUTCOME_WORDS: Record<ChainOutcome, string> = {
  needs_human: 'Needs a human',
  failed: 'Failed',
  lost: 'Lost',
  findings: 'Findings, no action',
  suppressed: 'Suppressed',
  stopped: 'Stopped',
  skipped: 'Skipped',
  fixed: 'Fixed',
  healthy: 'Healthy',
};

export interface OutcomesPlot extends PlotResult<Partial<Record<ChainOutcome, number>>> {
  /** Those that occur, in the order of the bars. */
  outcomes: ChainOutcome[];
}

/** Chains by outcome, in the bucket of their start. */
export function outcomesPlot(frame: PlotFrame, rows: readonly ChainCountRow[]): OutcomesPlot {
  const countOf = (found: readonly ChainCountRow[], outcome: ChainOutcome) =>
    sumOf(
      found.filter((row) => row.outcome === outcome),
      (row) => row.chains,
    );
  const outcomes = OUTCOME_ORDER.filter((outcome) => countOf(rows, outcome) > 0);
  const shown = outcomes.toReversed();
  const total = sumOf(rows, (row) => row.chains);
  const plot = plotOf(frame, rows, {
    caption: captionOf(total, shown, (outcome) => countOf(rows, outcome), frame),
    pointOf: (found): Partial<Record<ChainOutcome, number>> =>
      Object.fromEntries(outcomes.map((outcome) => [outcome, countOf(found, outcome)])),
    columns: [...shown.map((outcome) => OUTCOME_WORDS[outcome]), 'All'].map((header) => ({
      header,
      isNumber: true,
    })),
    cellsOf: (point) => {
      const counts = shown.map((outcome) => point[outcome] ?? 0);
      return [...counts, sumOf(counts, (count) => count)].map(countCell);
    },
    nothing: 'no chains',
    isEmpty: total === 0,
  });
  return { ...plot, outcomes };
}

function captionOf(
  total: number,
  outcomes: readonly ChainOutcome[],
  countOf: (outcome: ChainOutcome) => number,
  { rangeWords }: PlotFrame,
): string {
  if (total === 0) return `No chain ended in ${rangeWords}.`;
  const parts = outcomes.map(
    (outcome) => `${formatCount(countOf(outcome))} ${OUTCOME_WORDS[outcome].toLowerCase()}`,
  );
  const chains = total === 1 ? '1 chain' : `${formatCount(total)} chains`;
  return `${chains} in ${rangeWords}: ${parts.join(', ')}.`;
}

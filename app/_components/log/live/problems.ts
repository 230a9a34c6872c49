import type { LogRow } from '../log-rows';
import { filterRows } from './filter-rows';
import { callsOf } from './open-calls';

/** Number of the next (or last) failed or denied event from `seq`, around the end; null without any. */
export function problemAfter(
  rows: readonly LogRow[],
  seq: number | null,
  step: 1 | -1,
): number | null {
  const problems = [...filterRows(rows, 'errors'), ...filterRows(rows, 'denied')]
    .flatMap((row) => (row.type === 'request' ? callsOf(row).map((call) => call.seq) : [row.seq]))
    .toSorted((one, other) => one - other);
  const from = seq ?? 0;
  const next =
    step === 1
      ? problems.find((problem) => problem > from)
      : problems.findLast((problem) => problem < from);
  return next ?? (step === 1 ? problems[0] : problems.at(-1)) ?? null;
}

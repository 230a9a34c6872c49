import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { makeFrame, type PlotFrame } from '../analytics/frame';
import { type CostPlot, costPlot } from '../analytics/plots/cost';
import { listDaySums, sumSpendColumns } from './data';
import { matchOf } from './get-spend';
import { monthReadFrom, type SpendMonth, spendMonth } from './month';
import type { SpendQuery } from './schema';

export interface SpendPlots {
  frame: PlotFrame;
  /** The rows of the spend page by time and tier: sums to the same total. */
  cost: CostPlot;
  /** The current month of the organization or the project, whatever else is filtered. */
  month: SpendMonth;
}

interface SpendPlotsQuery extends Omit<SpendQuery, 'groupBy'> {
  /** `the last 7 days`. */
  spanWords: string;
  dayLimitMicros: number | null;
  monthLimitMicros: number | null;
}

/** Two queries. Columns are UTC days (hours and weeks of a shorter and a longer span), as budgets count. */
export function getSpendPlots(
  scope: TenantScope,
  query: SpendPlotsQuery,
  now = new Date(),
): Promise<SpendPlots> {
  const { from, to, spanWords } = query;
  return inTransaction(scope, async (db) => {
    const match = await matchOf(db, query);
    const { projectId } = match;
    const whole = makeFrame(scope, { range: { from, to }, timeZone: 'UTC' }, projectId, now);
    const frame: PlotFrame = {
      ...whole,
      rangeWords: spanWords,
      // The rows end with the span, so the links of the outermost columns do, too.
      buckets: whole.buckets.map((bucket) => ({
        ...bucket,
        startAt: new Date(Math.max(bucket.startAt.getTime(), from.getTime())),
        endAt: new Date(Math.min(bucket.endAt.getTime(), to.getTime())),
      })),
    };
    const starts = frame.buckets.map((bucket) => bucket.startAt);
    const isWhole = query.tier === undefined && !query.model && !query.kind;
    const limit = isWhole && frame.size === 'day' ? query.dayLimitMicros : null;
    const sums = await listDaySums(db, { projectId }, monthReadFrom(now));
    return {
      frame,
      cost: costPlot(frame, await sumSpendColumns(db, match, starts), limit),
      month: spendMonth(sums, query.monthLimitMicros, now),
    };
  });
}

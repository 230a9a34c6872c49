import { usdOf } from '@/lib/platform/format/money';
import { missingSentence } from '../missing';
import type { SpendGroup, SpendPage } from '../schema';

type Row = (string | number | null)[];

/** The page as lines of a CSV: its rows, what is missing, and the sum as the last one. */
export function spendCsvRows(page: SpendPage, groupBy: SpendGroup): Row[] {
  const line = (label: string, sums: SpendPage['total'] | SpendPage['rows'][number]): Row => [
    label,
    sums.entries,
    sums.tokens,
    usdOf(sums.micros),
    usdOf(sums.estimateMicros),
  ];
  return [
    [groupBy, 'ledger rows', 'tokens', 'cost (USD)', 'of it estimated (USD)'],
    ...page.rows.map((row) => line(row.label, row)),
    ...(page.rest ? [line(`${page.rest.rows} more`, page.rest)] : []),
    ...page.missing.map((missing): Row => [missingSentence(missing), null, null, null, null]),
    line('Total', page.total),
  ];
}

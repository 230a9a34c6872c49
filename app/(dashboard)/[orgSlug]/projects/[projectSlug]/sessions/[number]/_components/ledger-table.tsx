import Link from 'next/link';
import { Cost } from '@/app/_components/status/cost';
import { Tokens } from '@/app/_components/status/tokens';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { LedgerRow, SessionDetail } from '@/lib/insight/sessions/schema';
import { microsOf } from '@/lib/platform/format/cost';

const TOKEN_COLUMNS: [keyof LedgerRow & `${string}Tokens`, string][] = [
  ['inputTokens', 'Input'],
  ['outputTokens', 'Output'],
  ['cacheReadTokens', 'Cache read'],
  ['cacheWriteTokens', 'Cache write'],
];

/** How much of a row the agent's CLI reported itself. */
const SOURCES: Record<LedgerRow['source'], string> = {
  reported: 'Reported',
  partly_estimated: 'Partly estimated',
  estimated: 'Estimated',
};

interface LedgerTableProps {
  session: SessionDetail;
  root: string;
}

/** Shows a row for each process and model; the totals below are their sums. */
export function LedgerTable({ session, root }: LedgerTableProps) {
  const { ledger, attempts, number } = session;
  const nameOf = (row: LedgerRow) =>
    `#${number}.${attempts.find((attempt) => attempt.id === row.attemptId)?.number ?? '—'}`;
  const columns: Column<LedgerRow>[] = [
    { key: 'attempt', header: 'Attempt', phone: 'status', cell: nameOf, className: 'tabular-nums' },
    { key: 'model', header: 'Model', phone: 'title', cell: (row) => row.model },
    ...TOKEN_COLUMNS.map(
      ([key, header]): Column<LedgerRow> => ({
        key,
        header,
        align: 'end',
        cell: (row) => <Tokens count={row[key]} />,
      }),
    ),
    { key: 'source', header: 'Source', cell: (row) => SOURCES[row.source] },
    {
      key: 'cost',
      header: 'USD',
      align: 'end',
      phone: 'aside',
      cell: (row) => (
        <span title={row.priceTable ? `Prices of ${row.priceTable}` : undefined}>
          <Cost micros={microsOf(row.costUsd)} form={row.isEstimate ? 'estimate' : 'final'} />
        </span>
      ),
    },
  ];
  const total = ledger.reduce((sum, row) => sum + microsOf(row.costUsd), 0);
  return (
    <DataTable
      label="Ledger"
      columns={columns}
      rows={ledger}
      rowKey={(row) => `${row.attemptId}-${row.model}`}
      isFlush
      footer={
        <>
          <span>
            {TOKEN_COLUMNS.map(([key, header]) => (
              <span key={key} className="mr-4">
                {header} <Tokens count={ledger.reduce((sum, row) => sum + row[key], 0)} />
              </span>
            ))}
          </span>
          <span className="flex gap-4">
            <span className="font-semibold text-text">
              Session <Cost micros={total} form={session.isCostEstimated ? 'estimate' : 'final'} />
            </span>
            <Link href={`${root}/chains/${session.chainNumber}#cost`} className="link">
              Chain #{session.chainNumber} <Cost micros={microsOf(session.chainCostUsd)} />
            </Link>
          </span>
        </>
      }
    />
  );
}

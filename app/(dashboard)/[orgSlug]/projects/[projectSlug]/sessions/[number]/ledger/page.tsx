import { Cost, Tokens } from '@/app/_components/status/cost';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { TextLink } from '@/app/_components/ui/link';
import { type Column, DataTable } from '@/app/_components/ui/table';
import { listRawFigures, type RawFigure } from '@/lib/insight/sessions/get-session';
import type { LedgerRow, SessionDetail } from '@/lib/insight/sessions/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { loadSession, type SessionParams } from '../_components/load-session';
import { claimDifference } from '../_components/session-words';

export default async function LedgerPage({ params }: { params: Promise<SessionParams> }) {
  const { scope, session, root } = await loadSession(params);
  if (session.ledger.length === 0) {
    return (
      <EmptyState isCard title="Nothing is booked.">
        {session.endedAt
          ? 'No process of this session used a model.'
          : 'A process reports what it used when it ends; a killed one is estimated from its events.'}
      </EmptyState>
    );
  }
  const figures = await listRawFigures(scope, session.id);
  return (
    <div className="flex flex-col gap-6">
      <Card title="Ledger" note="excluding cost carried over from the parent session" isFlush>
        <LedgerTable session={session} root={root} />
      </Card>
      <RawFigures figures={figures} />
    </div>
  );
}

interface RawFiguresProps {
  figures: readonly RawFigure[];
}

/** The CLI's own figures beside what was booked; some versions report the whole conversation. */
function RawFigures({ figures }: RawFiguresProps) {
  const columns: Column<RawFigure>[] = [
    {
      header: 'Attempt',
      phone: 'status',
      cell: (row) => `Attempt ${row.attemptNumber}`,
      className: 'tabular-nums',
    },
    { header: 'Model', phone: 'title', cell: (row) => row.model },
    { header: 'Input', align: 'end', cell: (row) => <Tokens count={row.inputTokens} /> },
    {
      header: 'Output',
      align: 'end',
      cell: (row) => <Tokens count={row.outputTokens} />,
    },
    {
      header: 'Cache read',
      align: 'end',
      cell: (row) => <Tokens count={row.cacheReadTokens} />,
    },
    {
      header: 'Cache write',
      align: 'end',
      cell: (row) => <Tokens count={row.cacheWriteTokens} />,
    },
    {
      header: 'Reported',
      align: 'end',
      phone: 'aside',
      cell: (row) => <Cost micros={row.reportedMicros} />,
    },
    {
      header: 'Parent session',
      align: 'end',
      cell: (row) => (
        <Cost
          micros={
            row.reportedMicros === null ? null : Math.max(0, row.reportedMicros - row.bookedMicros)
          }
        />
      ),
    },
  ];
  return (
    <Card title="As the CLI reported it" note="unmodified" isFlush>
      {figures.length === 0 ? (
        <p className="px-4 py-3 text-text-2 text-ui">
          No process reported its usage. What is booked is estimated from its events.
        </p>
      ) : (
        <DataTable
          label="Reported figures"
          columns={columns}
          rows={figures}
          rowKey={(row) => `${row.attemptNumber}-${row.model}`}
          isFlush
        />
      )}
    </Card>
  );
}

const TOKEN_COLUMNS: [keyof LedgerRow & `${string}Tokens`, string][] = [
  ['inputTokens', 'Input'],
  ['outputTokens', 'Output'],
  ['cacheReadTokens', 'Cache read'],
  ['cacheWriteTokens', 'Cache write'],
];

/** Who counted the tokens of a row. */
const SOURCES: Record<LedgerRow['source'], string> = {
  metered: 'Counted by the gateway',
  reported: 'Reported by the CLI',
  partly_estimated: 'Partly estimated',
  estimated: 'Estimated',
};

function Source({ row }: { row: LedgerRow }) {
  const difference = claimDifference(row);
  return (
    <span className="flex flex-col">
      {SOURCES[row.source]}
      {difference ? <span className="text-wait-fg">{difference}</span> : null}
    </span>
  );
}

interface LedgerTableProps {
  session: SessionDetail;
  root: string;
}

/** Shows a row for each process and model; the totals below are their sums. */
function LedgerTable({ session, root }: LedgerTableProps) {
  const { ledger, attempts } = session;
  const nameOf = (row: LedgerRow) =>
    `Attempt ${attempts.find((attempt) => attempt.id === row.attemptId)?.number ?? '—'}`;
  const columns: Column<LedgerRow>[] = [
    { header: 'Attempt', phone: 'status', cell: nameOf, className: 'tabular-nums' },
    { header: 'Model', phone: 'title', cell: (row) => row.model },
    ...TOKEN_COLUMNS.map(
      ([key, header]): Column<LedgerRow> => ({
        key,
        header,
        align: 'end',
        cell: (row) => <Tokens count={row[key]} />,
      }),
    ),
    { header: 'Source', cell: (row) => <Source row={row} /> },
    {
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
            <TextLink href={`${root}/chains/${session.chainNumber}#cost`}>
              Chain #{session.chainNumber} <Cost micros={microsOf(session.chainCostUsd)} />
            </TextLink>
          </span>
        </>
      }
    />
  );
}

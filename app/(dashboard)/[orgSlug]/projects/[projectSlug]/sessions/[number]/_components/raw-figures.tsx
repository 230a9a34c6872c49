import { Cost } from '@/app/_components/status/cost';
import { Tokens } from '@/app/_components/status/tokens';
import { Card } from '@/app/_components/ui/card';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { RawFigure } from '@/lib/insight/sessions/get-session';

interface RawFiguresProps {
  figures: readonly RawFigure[];
  sessionNumber: number;
}

/** The CLI's own figures beside what was booked; some versions report the whole conversation. */
export function RawFigures({ figures, sessionNumber }: RawFiguresProps) {
  const columns: Column<RawFigure>[] = [
    {
      key: 'attempt',
      header: 'Attempt',
      phone: 'status',
      cell: (row) => `#${sessionNumber}.${row.attemptNumber}`,
      className: 'tabular-nums',
    },
    { key: 'model', header: 'Model', phone: 'title', cell: (row) => row.model },
    { key: 'in', header: 'Input', align: 'end', cell: (row) => <Tokens count={row.inputTokens} /> },
    {
      key: 'out',
      header: 'Output',
      align: 'end',
      cell: (row) => <Tokens count={row.outputTokens} />,
    },
    {
      key: 'read',
      header: 'Cache read',
      align: 'end',
      cell: (row) => <Tokens count={row.cacheReadTokens} />,
    },
    {
      key: 'write',
      header: 'Cache write',
      align: 'end',
      cell: (row) => <Tokens count={row.cacheWriteTokens} />,
    },
    {
      key: 'reported',
      header: 'Reported',
      align: 'end',
      phone: 'aside',
      cell: (row) => <Cost micros={row.reportedMicros} />,
    },
    {
      key: 'taken',
      header: 'Parent’s share',
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
    <Card title="As the CLI reported it" note="kept as it came" isFlush>
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

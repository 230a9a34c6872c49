import { Unknown } from '@/app/_components/status/cost';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { ServicePage } from '@/lib/insight/dashboard/get-service-page';
import { formatDuration } from '@/lib/platform/format/duration';
import { factWords, shownCheck } from '@/lib/protocol/checks/describe-check';
import type { CheckType } from '@/lib/protocol/checks/kinds';

type CheckLine = ServicePage['checks'][number];

/** Every configured check, and what the newest chain found. */
export function CheckList({ root, checks }: { root: string; checks: readonly CheckLine[] }) {
  return (
    <Card title="Checks" note={checks.length} isFlush>
      <DataTable
        label="Checks"
        isFlush
        columns={columnsOf(root)}
        rows={checks}
        rowKey={({ check }) => `${check.type} ${shownCheck(check)}`}
      />
    </Card>
  );
}

function foundWords(type: CheckType, { facts }: NonNullable<CheckLine['result']>): string {
  return (facts && factWords(type, facts)) || 'as expected';
}

function columnsOf(root: string): Column<CheckLine>[] {
  return [
    {
      header: 'Last result',
      phone: 'status',
      cell: ({ result }) => <StatusBadge kind="service" state={result?.status ?? 'unknown'} />,
    },
    {
      header: 'Check',
      phone: 'title',
      cell: ({ check }) => <span className="font-medium">{check.type}</span>,
    },
    {
      header: 'Target',
      cell: ({ check }) => <code className="text-code wrap-anywhere">{shownCheck(check)}</code>,
    },
    {
      header: 'Found',
      className: 'max-md:line-clamp-3',
      cell: ({ check, result }) =>
        result?.error ? (
          <span className="break-words md:line-clamp-2">{result.error}</span>
        ) : (
          <span className="break-words md:line-clamp-2 text-text-3">
            {result ? foundWords(check.type, result) : 'not checked yet'}
          </span>
        ),
    },
    {
      header: 'Answered in',
      align: 'end',
      cell: ({ result }) =>
        result && result.responseTimeMs !== null ? (
          formatDuration(result.responseTimeMs)
        ) : (
          <Unknown reason={result ? 'It was not timed' : 'Not checked yet'} />
        ),
    },
    {
      header: 'When',
      align: 'end',
      cell: ({ result }) =>
        result ? (
          <Link href={`${root}/sessions/${result.sessionNumber}`} className="link">
            <Time at={result.at.toISOString()} isPlain />
          </Link>
        ) : (
          <Unknown reason="Not checked yet" />
        ),
    },
  ];
}

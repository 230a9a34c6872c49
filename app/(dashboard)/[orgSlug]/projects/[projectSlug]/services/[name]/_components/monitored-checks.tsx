import { Unknown } from '@/app/_components/status/cost';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import { TimeBar } from '@/app/_components/status/time-bar';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { TextLink } from '@/app/_components/ui/link';
import { SafeText } from '@/app/_components/ui/safe-text';
import { type Column, DataTable } from '@/app/_components/ui/table';
import { type HourCell, hoursSentence } from '@/lib/insight/dashboard/check-hours';
import type {
  Monitored,
  MonitoredCheck,
  Problem,
  ServicePage,
} from '@/lib/insight/dashboard/get-service-page';
import { formatDuration } from '@/lib/platform/format/duration';
import { factWords, shownCheck } from '@/lib/protocol/checks/describe-check';
import type { CheckType } from '@/lib/protocol/checks/kinds';

interface MonitoredProps extends Monitored {
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  clock: (at: Date) => string;
}

/** Every check that runs without an agent: its state, its last result, and its last 24 hours. */
export function MonitoredChecks({ root, checks, clock }: Omit<MonitoredProps, 'problems'>) {
  return (
    <Card
      title="Checks"
      note={`${checks.length}, without an agent`}
      actions={
        <ButtonLink size="sm" href={`${root}/settings/services`}>
          Edit or test
        </ButtonLink>
      }
      isFlush
      className="self-start"
    >
      <DataTable
        label="Checks"
        isFlush
        columns={checkColumns(clock)}
        rows={checks}
        rowKey={({ id }) => id}
      />
    </Card>
  );
}

/** What failed or couldn’t be checked, newest first. Results that say the same are one row. */
export function CheckProblems({ problems }: Pick<MonitoredProps, 'problems'>) {
  return (
    <Card
      title="Failed results"
      note="Last 14 days, newest first"
      isFlush
      id="failed-results"
      className="scroll-mt-18"
    >
      {problems.length === 0 ? (
        <EmptyState title="No check has failed.">
          Results that aren’t healthy are listed here, with their errors.
        </EmptyState>
      ) : (
        <DataTable
          label="Failed results"
          isFlush
          columns={PROBLEM_COLUMNS}
          rows={problems}
          rowKey={({ check, from, error }) =>
            `${check.type} ${shownCheck(check)} ${from.toISOString()} ${error}`
          }
        />
      )}
    </Card>
  );
}

function checkColumns(clock: (at: Date) => string): Column<MonitoredCheck>[] {
  return [
    {
      header: 'State',
      phone: 'status',
      cell: ({ status }) => <StatusBadge kind="service" state={status} />,
    },
    { header: 'Check', phone: 'title', cell: ({ check }) => nameOf(check) },
    {
      header: 'Last result',
      className: 'max-md:line-clamp-3',
      cell: ({ last, pingCheck }) =>
        last ? (
          <span className="break-words md:line-clamp-2">
            <SafeText text={last.error || (pingCheck ? 'in time' : 'as expected')} />
          </span>
        ) : (
          <span className="text-text-3">
            {pingCheck ? 'waits for its first ping' : 'not checked yet'}
          </span>
        ),
    },
    {
      header: 'Latency',
      align: 'end',
      cell: ({ last }) =>
        last?.responseMs == null ? (
          <Unknown reason={last ? 'It was not timed' : 'Not checked yet'} />
        ) : (
          formatDuration(last.responseMs)
        ),
    },
    {
      header: 'When',
      align: 'end',
      cell: ({ last }) =>
        last ? <Time at={last.at.toISOString()} isPlain /> : <Unknown reason="Not checked yet" />,
    },
    {
      header: 'Last 24 h',
      className: 'max-md:basis-full',
      cell: ({ hours }) => <HourStrip cells={hours} clock={clock} />,
    },
  ];
}

const PROBLEM_COLUMNS: Column<Problem>[] = [
  {
    header: 'Result',
    phone: 'status',
    cell: ({ status }) => <StatusBadge kind="service" state={status} />,
  },
  { header: 'Check', phone: 'title', cell: ({ check }) => nameOf(check) },
  {
    header: 'Found',
    className: 'max-md:line-clamp-3',
    cell: ({ error }) => (
      <span className="break-words md:line-clamp-2">
        <SafeText text={error || 'No reason was given.'} />
      </span>
    ),
  },
  {
    header: 'Results',
    align: 'end',
    cell: ({ results }) => `${results} in a row`,
  },
  {
    header: 'From',
    align: 'end',
    cell: ({ from }) => <Time at={from.toISOString()} form="day" isPlain />,
  },
  {
    header: 'Until',
    align: 'end',
    cell: ({ to }) => <Time at={to.toISOString()} form="day" isPlain />,
  },
];

function nameOf(check: MonitoredCheck['check']) {
  return (
    <span className="wrap-anywhere">
      <span className="font-medium">{check.type}</span>{' '}
      <code className="text-code">{shownCheck(check)}</code>
    </span>
  );
}

interface HourStripProps {
  cells: readonly HourCell[];
  clock: (at: Date) => string;
}

/** One cell an hour, by the worst result in it. A picture for assistive technology, with a sentence. */
function HourStrip({ cells, clock }: HourStripProps) {
  return (
    <div
      role="img"
      aria-label={hoursSentence(cells)}
      className="flex h-6 min-w-48 items-end gap-px md:max-w-64"
    >
      {cells.map(({ from, state, words }) => (
        <span
          key={from.toISOString()}
          title={`From ${clock(from)}: ${words}`}
          className="flex h-full flex-1 items-end hover:bg-hover"
        >
          <TimeBar state={state} knownShare={1} />
        </span>
      ))}
    </div>
  );
}

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
          <TextLink href={`${root}/sessions/${result.sessionNumber}`}>
            <Time at={result.at.toISOString()} isPlain />
          </TextLink>
        ) : (
          <Unknown reason="Not checked yet" />
        ),
    },
  ];
}

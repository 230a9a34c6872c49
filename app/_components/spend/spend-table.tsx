import { Link } from '@/app/_components/ui/link';
import { missingSentence } from '@/lib/insight/spend/get-spend';
import type { SpendGroup, SpendPage, SpendSums } from '@/lib/insight/spend/schema';
import {
  formatCount,
  formatShare,
  formatTokens,
  formatTokensExact,
} from '@/lib/platform/format/count';
import { Cost, Unknown } from '../status/cost';
import { type Column, DataTable } from '../ui/table';

interface SpendTableProps {
  page: SpendPage;
  groupBy: SpendGroup;
  /** Where a row's own rows are; null: nowhere. */
  hrefOf: (row: SpendPage['rows'][number]) => string | null;
  /** Of the list of sessions whose usage is missing. */
  missingHref: (end: string) => string;
}

interface Line extends Omit<SpendSums, 'entries'> {
  key: string;
  label: string;
  entries: number | null;
  href: string | null;
}

const HEADERS: Record<SpendGroup, string> = {
  day: 'Day (UTC)',
  project: 'Project',
  tier: 'Tier',
  model: 'Model',
  session: 'Session',
};

/** Sums of the ledger, and their sum: the last line is always that of the lines above it. */
export function SpendTable({ page, groupBy, hrefOf, missingHref }: SpendTableProps) {
  const { rows, rest, total, missing } = page;
  const lines: Line[] = [
    ...rows.map((row) => ({ ...row, label: labelOf(row, groupBy), href: hrefOf(row) })),
    ...(rest
      ? [{ ...rest, key: 'rest', label: `${formatCount(rest.rows)} more`, href: null }]
      : []),
  ];
  return (
    <DataTable
      label={`Spend by ${groupBy}`}
      columns={columnsOf(groupBy, total.micros)}
      rows={lines}
      rowKey={(line) => line.key}
      rowHref={(line) => line.href}
      footer={
        <>
          {missing.map((each) => (
            <p key={each.end} className="basis-full text-wait-fg">
              <Link href={missingHref(each.end)} className="underline underline-offset-3">
                {missingSentence(each)}
              </Link>{' '}
              <span className="text-text-3">Its cost isn’t included in any total.</span>
            </p>
          ))}
          <span>Total</span>
          <span className="flex flex-wrap items-baseline gap-x-4">
            {total.estimateMicros > 0 ? (
              <span>
                <Cost micros={total.estimateMicros} form="estimate" /> included
              </span>
            ) : null}
            <span title={formatTokensExact(total.tokens)}>{formatTokens(total.tokens)} tokens</span>
            <Cost micros={total.micros} className="font-semibold text-text text-ui" />
          </span>
        </>
      }
    />
  );
}

function columnsOf(groupBy: SpendGroup, totalMicros: number): Column<Line>[] {
  return [
    {
      header: HEADERS[groupBy],
      phone: 'title',
      cell: (line) => line.label,
      className: 'max-w-96 break-words',
    },
    {
      header: 'Share',
      phone: 'hidden',
      className: 'w-2/5 min-w-40',
      cell: (line) => <Share micros={line.micros} totalMicros={totalMicros} />,
    },
    {
      header: 'Ledger rows',
      align: 'end',
      cell: (line) =>
        line.entries === null ? (
          <Unknown reason="Only the sum of each day was kept when the project was deleted" />
        ) : (
          formatCount(line.entries)
        ),
    },
    {
      header: 'Tokens',
      align: 'end',
      cell: (line) => (
        <span title={formatTokensExact(line.tokens)}>{formatTokens(line.tokens)}</span>
      ),
    },
    {
      header: 'Estimated',
      align: 'end',
      phone: 'hidden',
      cell: (line) =>
        line.estimateMicros > 0 ? (
          <Cost micros={line.estimateMicros} className="text-text-2" />
        ) : (
          <span className="text-text-3">none</span>
        ),
    },
    {
      header: 'Cost',
      align: 'end',
      phone: 'aside',
      cell: (line) => (
        <Cost
          micros={line.micros}
          form={
            line.estimateMicros > 0 && line.estimateMicros === line.micros ? 'estimate' : 'final'
          }
        />
      ),
    },
  ];
}

/** Quiet: the figure beside it says the same. */
function Share({ micros, totalMicros }: { micros: number; totalMicros: number }) {
  const share = totalMicros > 0 ? (micros / totalMicros) * 100 : 0;
  return (
    <span className="flex items-center gap-3">
      <span className="w-9 shrink-0 text-right text-text-2 tabular-nums">
        {formatShare(micros, totalMicros)}
      </span>
      <span aria-hidden className="h-2 flex-1">
        <span
          data-bar=""
          className="block h-full rounded-[1px] bg-idle-mark"
          style={{ width: `${share}%` }}
        />
      </span>
    </span>
  );
}

const TIER_WORDS: Record<string, string> = {
  0: 'Ask · Answers to operators',
  1: 'Tier 1 · Observe',
  2: 'Tier 2 · Safe remediation',
  3: 'Tier 3 · Full remediation',
};

function labelOf(row: SpendPage['rows'][number], groupBy: SpendGroup): string {
  if (groupBy === 'tier') return TIER_WORDS[row.key] ?? row.label;
  if (groupBy !== 'day') return row.label;
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
  return parts
    .format(new Date(`${row.key}T00:00:00Z`))
    .replace(',', '')
    .replace('Sept', 'Sep');
}

import type { ReactNode } from 'react';
import { Link } from '@/app/_components/ui/link';
import type { SessionGroup, SessionItem } from '@/lib/insight/sessions/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { Cost, Unknown } from '../status/cost';
import { Duration } from '../status/duration';
import { StatusBadge } from '../status/status-badge';
import { type Tier, TierMark } from '../status/tier-mark';
import { Time } from '../status/time';
import { Checkbox } from '../ui/checkbox';
import { type Column, DataTable } from '../ui/table';

interface SessionTableProps {
  groups: readonly SessionGroup[];
  orgSlug: string;
  /** On pages of the whole organization. */
  showsProject: boolean;
  /** Sums over all matches. */
  footer?: ReactNode;
}

/** On phones, facts are in two columns below the status, at the same place in every card. */
const HALF = 'max-md:basis-[calc(50%-4px)] max-md:text-left';

/** The id of the form that opens the two sessions that are selected in its project's list. */
export const SIDE_BY_SIDE_FORM = 'side-by-side';

interface Row {
  session: SessionItem;
  part: BracketPart;
  group: SessionGroup;
}

/** Members of a chain stand together in a bracket; its root shows what the whole chain cost. */
export function SessionTable({ groups, orgSlug, showsProject, footer }: SessionTableProps) {
  const rows = groups.flatMap((group) =>
    group.sessions.map(
      (session, index): Row => ({
        session,
        group,
        part: partOf(index, group.sessions.length),
      }),
    ),
  );
  const root = (row: Row) => `/${orgSlug}/projects/${row.session.project.slug}`;
  const columns: Column<Row>[] = [
    {
      header: 'Chain',
      isHeaderHidden: true,
      phone: 'status',
      cell: (row) => <ChainBracket part={row.part} />,
      className:
        'max-md:absolute max-md:inset-y-0 max-md:-left-2 max-md:w-6 md:relative md:w-6 md:pr-0! md:pl-3!',
    },
    {
      header: '#',
      phone: 'title',
      cell: (row) => (
        <span className="whitespace-nowrap tabular-nums">
          <span className="md:sr-only">Session </span>#{row.session.number}
        </span>
      ),
      className: 'md:w-16 max-md:order-0',
    },
    {
      header: 'Select',
      isHeaderHidden: true,
      phone: 'aside',
      cell: ({ session }) => (
        <Checkbox
          form={SIDE_BY_SIDE_FORM}
          name="session"
          value={session.number}
          aria-label={`Select Session #${session.number}`}
          className="relative z-10"
        />
      ),
      className: 'md:w-8 max-md:order-0',
    },
    { header: 'Project', cell: (row) => row.session.project.name, className: HALF },
    {
      header: 'Tier',
      cell: (row) => <TierMark tier={row.session.tier as Tier} />,
      className: HALF,
    },
    { header: 'Model', cell: (row) => row.session.model, className: HALF },
    {
      header: 'Status',
      phone: 'status',
      cell: ({ session }) => (
        <StatusBadge kind="session" state={session.status} reason={reasonOf(session)} />
      ),
      className: 'md:min-w-48 max-md:order-2 max-md:basis-full',
    },
    {
      header: 'Started',
      cell: ({ session }) => <Time at={session.startedAt ?? session.createdAt} isPlain />,
      className: HALF,
    },
    {
      header: 'Took',
      align: 'end',
      cell: ({ session }) => <SessionDuration {...session} />,
      className: HALF,
    },
    {
      header: 'Cost',
      align: 'end',
      phone: 'aside',
      className: 'max-md:order-1',
      cell: ({ session }) => <SessionCost {...session} />,
    },
    {
      header: 'Chain',
      key: 'chain-cost',
      align: 'end',
      cell: (row) =>
        row.session.parentSessionId === null ? <Root row={row} root={root(row)} /> : '',
      className: `md:w-40 ${HALF}`,
    },
  ];
  return (
    <DataTable
      label="Sessions"
      columns={columns.filter(({ header }) => header !== (showsProject ? 'Select' : 'Project'))}
      rows={rows}
      footer={footer}
      rowKey={(row) => row.session.id}
      rowHref={(row) => `${root(row)}/sessions/${row.session.number}`}
      rowClassName={(row) =>
        row.part === 'middle' || row.part === 'end' ? 'border-transparent!' : undefined
      }
    />
  );
}

/** The root of a chain leads to it, with the sum of all its tiers. */
function Root({ row, root }: { row: Row; root: string }) {
  const { chainNumber, chainCostMicros, sessionCount, isCostEstimated } = row.group;
  return (
    <span className="inline-flex items-baseline gap-2 whitespace-nowrap">
      <Link href={`${root}/chains/${chainNumber}`} className="link relative z-10">
        <span className="max-md:hidden">Chain </span>#{chainNumber}
      </Link>
      {sessionCount > 1 ? (
        <Cost
          micros={chainCostMicros}
          form={isCostEstimated ? 'estimate' : 'final'}
          className="font-medium"
        />
      ) : null}
    </span>
  );
}

function partOf(index: number, count: number): BracketPart {
  if (count === 1) return 'alone';
  if (index === 0) return 'start';
  return index === count - 1 ? 'end' : 'middle';
}

function reasonOf({ status, statusText, fallback }: SessionItem): ReactNode {
  if (status === 'completed' || status === 'escalated' || status === 'running') {
    return fallback ? 'after a rejected resume' : undefined;
  }
  return statusText ? <span className="line-clamp-2">{statusText}</span> : undefined;
}

/** Where a row stands in its chain; the newest session is on top. */
type BracketPart = 'alone' | 'start' | 'middle' | 'end';

const PATHS: Record<Exclude<BracketPart, 'alone'>, string> = {
  start: 'M12 50 H6 V100',
  middle: 'M6 0 V100 M6 50 H12',
  end: 'M6 0 V50 H12',
};

const NAMES: Record<Exclude<BracketPart, 'alone'>, string> = {
  start: 'newest of its chain',
  middle: 'of the same chain',
  end: 'first of its chain',
};

/** A line that ties the rows of a chain together; it fills the height of its row. */
function ChainBracket({ part }: { part: BracketPart }) {
  if (part === 'alone') return null;
  return (
    <svg
      role="img"
      aria-label={NAMES[part]}
      viewBox="0 0 12 100"
      preserveAspectRatio="none"
      className="absolute -top-px left-3 h-[calc(100%+2px)] w-3 fill-none stroke-control"
    >
      <path d={PATHS[part]} vectorEffect="non-scaling-stroke" strokeWidth={1.5} />
    </svg>
  );
}

interface SessionCostProps {
  costUsd: number;
  isCostEstimated: boolean;
  endedAt: string | null;
  className?: string;
}

/** What a session cost by its ledger rows; one that runs has none before its process ends. */
export function SessionCost({ costUsd, isCostEstimated, endedAt, className }: SessionCostProps) {
  const micros = microsOf(costUsd);
  if (endedAt === null && micros === 0) {
    return (
      <Unknown
        reason="A process reports its cost when it ends"
        {...(className ? { className } : {})}
      />
    );
  }
  const form = endedAt === null ? 'running' : isCostEstimated ? 'estimate' : 'final';
  return <Cost micros={micros} form={form} {...(className ? { className } : {})} />;
}

interface SessionDurationProps {
  startedAt: string | null;
  endedAt: string | null;
}

export function SessionDuration({ startedAt, endedAt }: SessionDurationProps) {
  if (!startedAt) return <Unknown reason="It has not started" />;
  return <Duration from={startedAt} to={endedAt} className="whitespace-nowrap" />;
}

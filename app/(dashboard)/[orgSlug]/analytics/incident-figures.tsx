import { Cost, Unknown } from '@/app/_components/status/cost';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { FiguresOfRange } from '@/lib/insight/incident-figures/get-incident-figures';
import type { FixFigures, IncidentFigures, Spread } from '@/lib/insight/incident-figures/schema';
import { microsOf } from '@/lib/platform/format/cost';
import { formatCounted, formatShare } from '@/lib/platform/format/count';
import { formatDuration } from '@/lib/platform/format/duration';
import { incidentsSentence, leftOutSentence } from './incidents-sentence';

interface IncidentFiguresSectionProps {
  found: FiguresOfRange;
  /** Of the incidents behind the figures: `/acme/incidents`. */
  incidentsHref: string;
}

/** How long incidents took, which fixes were proven, and what came back. */
export function IncidentFiguresSection({ found, incidentsHref }: IncidentFiguresSectionProps) {
  const { figures } = found;
  const leftOut = leftOutSentence(figures.leftOut);
  return (
    <section aria-labelledby="incident-figures" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="incident-figures" className="text-section">
          Incidents
        </h2>
        <Link href={incidentsHref} className="link text-ui">
          Open the incidents
        </Link>
      </div>
      <p className="max-w-prose text-text-2">{incidentsSentence(found)}</p>
      {leftOut ? <p className="max-w-prose text-meta text-text-2">{leftOut}</p> : null}
      {figures.incidents > 0 ? <Figures figures={figures} /> : null}
    </section>
  );
}

function Figures({ figures }: { figures: IncidentFigures }) {
  const { fixes, fixesByTier, fixesByAction, fixesByModel, recurringServices } = figures;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Card title="Durations" note="From the first failed check" isFlush>
        <DataTable
          label="Durations of incidents"
          isFlush
          columns={DURATION_COLUMNS}
          rows={durationsOf(figures)}
          rowKey={({ label }) => label}
        />
      </Card>
      {recurringServices.length > 0 ? (
        <Card title="Failed again" note="Within 24 h" isFlush>
          <DataTable
            label="Services that failed again within 24 h"
            isFlush
            columns={RECURRING_COLUMNS}
            rows={recurringServices.slice(0, MAX_ROWS)}
            rowKey={({ name }) => name}
          />
        </Card>
      ) : null}
      {fixes.chains > 0 ? (
        <>
          <FixCard
            by="Tier"
            groups={fixesByTier.map((group) => ({ ...group, name: `Tier ${group.tier}` }))}
          />
          <FixCard
            by="Model"
            groups={fixesByModel.map((group) => ({ ...group, name: group.model }))}
          />
          <FixCard
            by="Action"
            groups={fixesByAction.map((group) => ({ ...group, name: group.action }))}
          />
        </>
      ) : null}
    </div>
  );
}

const MAX_ROWS = 20;

interface DurationRow {
  label: string;
  spread: Spread;
  /** Why there is none. */
  unknown: string;
}

function durationsOf(figures: IncidentFigures): DurationRow[] {
  const { timeToDetect, timeToAcknowledge, timeToFix } = figures;
  return [
    { label: 'To detect', spread: timeToDetect, unknown: 'No incident was opened' },
    { label: 'To acknowledge', spread: timeToAcknowledge, unknown: 'Nobody acknowledged one' },
    { label: 'To fix, proven', spread: timeToFix, unknown: 'No recovery is proven yet' },
  ];
}

const DURATION_COLUMNS: Column<DurationRow>[] = [
  {
    header: 'Time',
    phone: 'title',
    cell: ({ label }) => <span className="font-medium">{label}</span>,
  },
  {
    header: 'Median',
    align: 'end',
    phone: 'aside',
    cell: ({ spread, unknown }) => <Seconds value={spread?.p50Seconds} unknown={unknown} />,
  },
  {
    header: 'p90',
    align: 'end',
    cell: ({ spread, unknown }) => <Seconds value={spread?.p90Seconds} unknown={unknown} />,
  },
  {
    header: 'Incidents',
    align: 'end',
    cell: ({ spread }) => <Sample count={spread?.incidents ?? 0} isSmall={spread?.isSmall} />,
  },
];

function Seconds({ value, unknown }: { value: number | undefined; unknown: string }) {
  if (value === undefined) return <Unknown reason={unknown} />;
  return <span className="whitespace-nowrap">{formatDuration(value * 1_000)}</span>;
}

/** How many cases are behind a figure, and whether they are too few to rely on. */
function Sample({ count, isSmall }: { count: number; isSmall: boolean | undefined }) {
  return (
    <span className="whitespace-nowrap">
      {count}
      {isSmall ? <span className="text-text-3"> · small sample</span> : null}
    </span>
  );
}

const RECURRING_COLUMNS: Column<IncidentFigures['recurringServices'][number]>[] = [
  {
    header: 'Service',
    phone: 'title',
    cell: ({ name }) => <span className="font-medium [overflow-wrap:anywhere]">{name}</span>,
  },
  {
    header: 'Failed again',
    align: 'end',
    phone: 'aside',
    cell: ({ recurred, incidents }) => `${recurred} of ${formatCounted(incidents, 'incident')}`,
  },
];

interface FixCardProps {
  by: string;
  groups: readonly FixGroup[];
}

interface FixGroup extends FixFigures {
  /** Null where it isn't recorded. */
  name: string | null;
}

function FixCard({ by, groups }: FixCardProps) {
  const shown = groups.slice(0, MAX_ROWS);
  const rest = groups.length - shown.length;
  const columns: Column<FixGroup>[] = [
    {
      header: by,
      phone: 'title',
      cell: ({ name }) => (
        <span className="font-medium [overflow-wrap:anywhere]">{name ?? 'Not recorded'}</span>
      ),
    },
    ...FIX_COLUMNS,
  ];
  return (
    <Card
      title={`Proven fixes by ${by.toLowerCase()}`}
      isFlush
      className={by === 'Action' ? 'xl:col-span-2' : undefined}
    >
      <DataTable
        label={`Proven fixes by ${by.toLowerCase()}`}
        isFlush
        columns={columns}
        rows={shown}
        rowKey={({ name }) => name ?? ''}
        footer={rest > 0 ? `${rest} more in the API` : undefined}
      />
    </Card>
  );
}

const FIX_COLUMNS: Column<FixGroup>[] = [
  {
    header: 'Proven',
    align: 'end',
    phone: 'aside',
    cell: (group) =>
      group.provenRate === null ? (
        <Unknown reason="No fix is decided yet" />
      ) : (
        <span className="whitespace-nowrap">
          {formatShare(group.proven, decidedOf(group))} · {group.proven} of {decidedOf(group)}
        </span>
      ),
  },
  {
    header: 'Not proven',
    cell: (group) => (
      <>
        {notProvenWords(group)}
        {group.isSmall ? (
          <span className="whitespace-nowrap text-text-3"> · small sample</span>
        ) : null}
      </>
    ),
  },
  { header: 'Chains', align: 'end', cell: ({ chains }) => chains },
  {
    header: 'Cost per proven fix',
    align: 'end',
    cell: ({ costPerProvenFixUsd, costUsd, isCostEstimated }) => (
      <Cost
        micros={costPerProvenFixUsd === null ? null : microsOf(costPerProvenFixUsd)}
        form={isCostEstimated ? 'estimate' : 'final'}
        unknownReason={costUsd === null ? 'Nothing was booked' : 'No proven fix'}
      />
    ),
  },
];

function decidedOf({ proven, recurred, failed }: FixFigures): number {
  return proven + recurred + failed;
}

/** `1 failed, 2 came back, 1 pending`. */
function notProvenWords({ recurred, failed, pending, unproven }: FixFigures): string {
  const parts: [number, string][] = [
    [failed, 'failed'],
    [recurred, 'came back'],
    [pending, 'pending'],
    [unproven, 'undecided'],
  ];
  const words = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return words.length > 0 ? words.join(', ') : 'none';
}

import type { ReactNode } from 'react';
import { Unknown } from '@/app/_components/status/cost';
import { Card } from '@/app/_components/ui/card';
import { TextLink } from '@/app/_components/ui/link';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { CheckedUptime, HourLatency } from '@/lib/insight/dashboard/checked-history';
import type { ServicePage } from '@/lib/insight/dashboard/get-service-page';
import type { LatencyPoint, Uptime } from '@/lib/insight/dashboard/service-history';
import { formatDuration } from '@/lib/platform/format/duration';

interface UptimeCardProps {
  past: ServicePage['past'];
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  clock: (at: Date) => string;
}

/** Uptime and latency by the service's own checks, or by the worst of each chain; each says which. */
export function UptimeCard({ past, root, clock }: UptimeCardProps) {
  const isChecked = past.source === 'checks';
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_20rem] gap-6 max-lg:grid-cols-1 max-md:gap-4">
      <Card
        title="Uptime and latency"
        note={
          isChecked
            ? 'By its own checks, of the time that is known'
            : 'By the worst result of each chain: it has no checks without an agent'
        }
        isFlush
        className="self-start"
      >
        {isChecked ? (
          <DataTable
            label="Uptime and latency"
            isFlush
            columns={CHECKED_COLUMNS}
            rows={past.uptime}
            rowKey={({ label }) => label}
          />
        ) : (
          <DataTable
            label="Uptime and latency"
            isFlush
            columns={COLUMNS}
            rows={past.uptime}
            rowKey={({ label }) => label}
          />
        )}
      </Card>
      <Card
        title="Latency"
        note={isChecked ? 'Mean of each hour' : 'Slowest check of each chain'}
        className="self-start"
      >
        {isChecked ? (
          <LatencyLine
            latency={past.latency}
            of={lastHour(past.latency, clock)}
            noun="hours"
            clock={clock}
          />
        ) : (
          <LatencyLine
            latency={past.latency}
            of={<LastChain root={root} latency={past.latency} />}
            noun="chains"
            clock={clock}
          />
        )}
      </Card>
    </div>
  );
}

/** `in the hour from 14:00`: results may be missing since. */
function lastHour(latency: readonly HourLatency[], clock: (at: Date) => string): string {
  const last = latency.findLast(({ ms }) => ms !== null);
  return last ? `in the hour from ${clock(last.at)}` : '';
}

interface LastChainProps {
  root: string;
  latency: readonly LatencyPoint[];
}

function LastChain({ root, latency }: LastChainProps) {
  const number = latency.findLast(({ ms }) => ms !== null)?.chainNumber;
  return (
    <>
      in <TextLink href={`${root}/chains/${number}`}>Chain #{number}</TextLink>
    </>
  );
}

const SPAN = {
  header: 'Last',
  phone: 'title',
  cell: ({ label }: { label: string }) => <span className="font-medium">{label}</span>,
} as const;

const COLUMNS: Column<Uptime>[] = [
  SPAN,
  {
    header: 'Uptime',
    align: 'end',
    phone: 'aside',
    cell: ({ share }) => share ?? <Unknown reason="No chain has checked it" />,
  },
  {
    header: 'Chains',
    cell: ({ words }) => <span className="inline-block first-letter:uppercase">{words}</span>,
  },
  { header: 'p50', align: 'end', cell: ({ p50 }) => <Latency ms={p50} /> },
  { header: 'p95', align: 'end', cell: ({ p95 }) => <Latency ms={p95} /> },
];

const CHECKED_COLUMNS: Column<CheckedUptime>[] = [
  SPAN,
  {
    header: 'Uptime',
    align: 'end',
    phone: 'aside',
    cell: ({ share }) => share ?? <Unknown reason="No check had a result" />,
  },
  {
    header: 'Time',
    cell: ({ words }) => <span className="inline-block first-letter:uppercase">{words}</span>,
  },
  { header: 'Mean', align: 'end', cell: ({ meanMs }) => <Latency ms={meanMs} /> },
  { header: 'Slowest', align: 'end', cell: ({ maxMs }) => <Latency ms={maxMs} /> },
];

function Latency({ ms }: { ms: number | null }) {
  if (ms === null) return <Unknown reason="No check that answered was timed" />;
  return formatDuration(Math.round(ms));
}

const WIDTH = 288;
const HEIGHT = 56;

interface LatencyLineProps {
  /** Oldest first. Null where nothing was measured: a gap. */
  latency: readonly { at: Date; ms: number | null }[];
  /** Where the last one was measured, after it: `in Chain #5`. */
  of: ReactNode;
  /** What is measured, in the plural: `chains`. */
  noun: string;
  clock: (at: Date) => string;
}

/** Measurements as a line from zero. */
function LatencyLine({ latency, of, noun, clock }: LatencyLineProps) {
  const measured = latency.flatMap(({ ms }) => ms ?? []);
  const last = latency.findLast(({ ms }) => ms !== null);
  const [first] = latency;
  if (!last || last.ms === null || !first) {
    return <p className="text-text-2">Nothing was timed.</p>;
  }
  const slowest = Math.max(...measured, 1);
  const step = latency.length > 1 ? WIDTH / (latency.length - 1) : 0;
  const points = latency.map(({ ms }, index) =>
    ms === null ? null : { x: index * step, y: HEIGHT - (ms / slowest) * (HEIGHT - 4) - 2 },
  );
  return (
    <div className="flex flex-col gap-2">
      <p className="text-ui tabular-nums">
        <span className="font-medium">{formatDuration(last.ms)}</span> {of}
        <span className="text-text-3">, at most {formatDuration(slowest)}</span>
      </p>
      {measured.length > 1 ? (
        <>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`Latency of ${measured.length} ${noun}, from ${formatDuration(Math.min(...measured))} to ${formatDuration(slowest)}`}
            className="h-14 w-full border-line border-b"
          >
            <path
              d={pathOf(points)}
              fill="none"
              className="stroke-text-2"
              strokeWidth={1.5}
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
            <path
              d={aloneOf(points)}
              fill="none"
              className="stroke-text-2"
              strokeWidth={4}
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          <p className="flex justify-between text-meta text-text-3 tabular-nums">
            <span>{clock(first.at)}</span>
            <span>{clock(latency.at(-1)?.at ?? first.at)}</span>
          </p>
        </>
      ) : null}
    </div>
  );
}

interface Point {
  x: number;
  y: number;
}

/** A gap starts a new piece. */
function pathOf(points: readonly (Point | null)[]): string {
  return points
    .map((point, index) => (point ? `${points[index - 1] ? 'L' : 'M'}${placeOf(point)}` : ''))
    .join('');
}

/** Points between two gaps, which no line shows: lines without length, whose round ends are dots. */
function aloneOf(points: readonly (Point | null)[]): string {
  return points
    .map((point, index) =>
      point && !points[index - 1] && !points[index + 1]
        ? `M${placeOf(point)}L${placeOf(point)}`
        : '',
    )
    .join('');
}

function placeOf({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

import { Unknown } from '@/app/_components/status/cost';
import { Card } from '@/app/_components/ui/card';
import { Link } from '@/app/_components/ui/link';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { LatencyPoint, Uptime } from '@/lib/insight/dashboard/service-history';
import { formatDuration } from '@/lib/platform/format/duration';

interface UptimeCardProps {
  uptime: readonly Uptime[];
  latency: readonly LatencyPoint[];
  /** Of the project: `/acme/projects/checkout`. */
  root: string;
  clock: (at: Date) => string;
}

/** Uptime by the worst of each chain, and beside it how long the checks took to answer. */
export function UptimeCard({ uptime, latency, root, clock }: UptimeCardProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_20rem] gap-6 max-lg:grid-cols-1 max-md:gap-4">
      <Card
        title="Uptime and latency"
        note="By the worst result of each chain"
        isFlush
        className="self-start"
      >
        <DataTable
          label="Uptime and latency"
          isFlush
          columns={COLUMNS}
          rows={uptime}
          rowKey={({ label }) => label}
        />
      </Card>
      <Card title="Latency" note="Slowest check of each chain" className="self-start">
        <LatencyLine latency={latency} root={root} clock={clock} />
      </Card>
    </div>
  );
}

const COLUMNS: Column<Uptime>[] = [
  {
    key: 'span',
    header: 'Last',
    phone: 'title',
    cell: ({ label }) => <span className="font-medium">{label}</span>,
  },
  {
    key: 'share',
    header: 'Uptime',
    align: 'end',
    phone: 'aside',
    cell: ({ share }) => share ?? <Unknown reason="No chain has checked it" />,
  },
  {
    key: 'words',
    header: 'Chains',
    cell: ({ words }) => <span className="inline-block first-letter:uppercase">{words}</span>,
  },
  { key: 'p50', header: 'p50', align: 'end', cell: ({ p50 }) => <Latency ms={p50} /> },
  { key: 'p95', header: 'p95', align: 'end', cell: ({ p95 }) => <Latency ms={p95} /> },
];

function Latency({ ms }: { ms: number | null }) {
  if (ms === null) return <Unknown reason="No check that answered was timed" />;
  return formatDuration(Math.round(ms));
}

const WIDTH = 288;
const HEIGHT = 56;

type LatencyLineProps = Pick<UptimeCardProps, 'latency' | 'root' | 'clock'>;

/** The newest measurements as a line from zero; a failed check is a gap. */
function LatencyLine({ latency, root, clock }: LatencyLineProps) {
  const measured = latency.flatMap(({ ms }) => ms ?? []);
  const last = latency.findLast(({ ms }) => ms !== null);
  const [first] = latency;
  if (!last || last.ms === null || !first) {
    return <p className="text-text-2">No check of this service is timed.</p>;
  }
  const slowest = Math.max(...measured, 1);
  const step = latency.length > 1 ? WIDTH / (latency.length - 1) : 0;
  const points = latency.map(({ ms }, index) =>
    ms === null ? null : { x: index * step, y: HEIGHT - (ms / slowest) * (HEIGHT - 4) - 2 },
  );
  return (
    <div className="flex flex-col gap-2">
      <p className="text-ui tabular-nums">
        <span className="font-medium">{formatDuration(last.ms)}</span> in{' '}
        <Link href={`${root}/chains/${last.chainNumber}`} className="link">
          Chain #{last.chainNumber}
        </Link>
        <span className="text-text-3">, at most {formatDuration(slowest)}</span>
      </p>
      {measured.length > 1 ? (
        <>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`Latency of ${measured.length} chains, from ${formatDuration(Math.min(...measured))} to ${formatDuration(slowest)}`}
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

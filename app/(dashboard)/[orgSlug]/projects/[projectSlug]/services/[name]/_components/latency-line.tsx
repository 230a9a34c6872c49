import type { ReactNode } from 'react';
import { formatDuration } from '@/lib/platform/format/duration';

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
export function LatencyLine({ latency, of, noun, clock }: LatencyLineProps) {
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

import { formatCount, formatShare } from '@/lib/platform/format/count';
import type { Bucket } from '../buckets';
import { fillBuckets, missingCell, type PlotFrame, type PlotTable, sumOf } from '../frame';
import type { RunnerSlotsRow, SlotSecondsRow } from '../times-data';

interface RunnerUse {
  /** UUID. */
  id: string;
  name: string;
  slots: number;
  /** Slots in use on average; null: not there in that bucket. */
  used: (number | null)[];
  /** Enrolled by then, and not there. */
  isAway: boolean[];
}

export interface SlotsPlot {
  caption: string;
  /** The busiest first, as many as are drawn. */
  runners: RunnerUse[];
  table: PlotTable;
  isEmpty: boolean;
}

/** More rows than this are no picture; the table has them all. */
const DRAWN_RUNNERS = 4;

/**
 * Returns the slots in use over time, by runner; those that one project uses if the frame is its.
 * A runner is present from its enrollment to its last contact.
 */
export function slotsPlot(
  frame: PlotFrame,
  rows: readonly SlotSecondsRow[],
  runners: readonly RunnerSlotsRow[],
): SlotsPlot {
  const all = runners
    .map((runner) => slotsOf(runner, rows, frame))
    .toSorted(
      (one, other) => busyness(other) - busyness(one) || one.name.localeCompare(other.name),
    );
  return {
    runners: all.slice(0, DRAWN_RUNNERS),
    caption: captionOf(all, frame),
    table: {
      columns: all.map((runner) => ({ header: runnerHeader(runner), isNumber: true })),
      rows: frame.labels.map((label, bucket) => ({
        bucket,
        header: label.long,
        cells: all.map(({ used }) => {
          const slots = used[bucket] ?? null;
          if (slots === null) return missingCell('offline');
          return { text: slotWords(slots), value: Math.round(slots * 1_000) / 1_000 };
        }),
      })),
    },
    isEmpty: all.length === 0,
  };
}

/** `eu-1 (4 slots)`. */
export function runnerHeader({ name, slots }: Pick<RunnerUse, 'name' | 'slots'>): string {
  return `${name} (${slots === 1 ? '1 slot' : `${slots} slots`})`;
}

function slotsOf(
  runner: RunnerSlotsRow,
  rows: readonly SlotSecondsRow[],
  frame: PlotFrame,
): RunnerUse {
  const own = rows.filter((row) => row.runnerId === runner.id);
  const used = fillBuckets(frame.buckets.length, own, (found, index) => {
    const bucket = frame.buckets[index];
    const present = bucket ? presentSeconds(runner, bucket, frame.now) : 0;
    if (present === 0) return null;
    return sumOf(found, (row) => row.seconds) / present;
  });
  const isAway = frame.buckets.map(
    ({ endAt }, bucket) => used[bucket] === null && runner.createdAt < endAt,
  );
  return { id: runner.id, name: runner.name, slots: runner.slots, used, isAway };
}

function presentSeconds(runner: RunnerSlotsRow, { startAt, endAt }: Bucket, now: Date): number {
  const gone = runner.revokedAt ?? runner.lastSeenAt ?? runner.createdAt;
  const from = Math.max(startAt.getTime(), runner.createdAt.getTime());
  const to = Math.min(endAt.getTime(), gone.getTime(), now.getTime());
  return Math.max(0, (to - from) / 1_000);
}

function busyness({ used }: RunnerUse): number {
  return sumOf(used, (slots) => slots ?? 0);
}

function captionOf(all: readonly RunnerUse[], { rangeWords, projectId }: PlotFrame): string {
  const [first] = all;
  if (!first) return `No runner was online in ${rangeWords}.`;
  const known = first.used.filter((slots) => slots !== null);
  const mean = sumOf(known, (slots) => slots) / Math.max(1, known.length);
  const words = `${first.name} used ${slotWords(mean)} of ${first.slots} ${first.slots === 1 ? 'slot' : 'slots'} (${formatShare(mean, first.slots)})${projectId ? ' for this project' : ''} on average in ${rangeWords}`;
  const others = all.length - 1;
  if (others === 0) return `${words}.`;
  const hidden = all.length > DRAWN_RUNNERS ? ` The ${DRAWN_RUNNERS} busiest are drawn.` : '';
  return `${words}, the most of ${formatCount(all.length)} runners.${hidden}`;
}

function slotWords(slots: number): string {
  if (slots === 0) return '0';
  return slots < 0.01 ? '<0.01' : String(Number(slots.toFixed(2)));
}

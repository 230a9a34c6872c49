import { nextRunAt, previewRuns } from './next-run';
import type { Schedule } from './schema';
import { scheduleWords, validateSchedule } from './validate';

export type SchedulePreview =
  | {
      ok: true;
      /** "every 10 min". */
      words: string;
      /** The next five, ISO 8601. */
      runs: string[];
      cyclesPerDay: number;
      /** A sentence when the clocks change between the listed runs; null otherwise. */
      clockChange: string | null;
    }
  | { ok: false; field: 'expression' | 'timeZone'; error: string };

const SHOWN_RUNS = 5;
const DAY_MS = 86_400_000;
const SAMPLED_SLOTS = 100;

/** Returns when a schedule starts chains, in words and as the next five instants. */
export function previewSchedule(schedule: Schedule, now: Date): SchedulePreview {
  const valid = validateSchedule(schedule, now);
  if (!valid.ok) return valid;
  const runs = previewRuns(schedule, now, SHOWN_RUNS);
  return {
    ok: true,
    words: scheduleWords(schedule),
    runs: runs.map((run) => run.toISOString()),
    cyclesPerDay: cyclesPerDay(schedule, now),
    clockChange: clockChange(runs, schedule.timeZone),
  };
}

function cyclesPerDay(schedule: Schedule, now: Date): number {
  if (schedule.kind === 'manual') return 0;
  if (schedule.kind === 'interval') return 86_400 / schedule.everySeconds;
  // A mean over a week, since a cron line may exclude weekends; a dense one needs less.
  const end = now.getTime() + 7 * DAY_MS;
  let [last, count] = [now, 0];
  while (count < SAMPLED_SLOTS) {
    const next = nextRunAt(schedule, last);
    if (!next || next.getTime() > end) return count / 7;
    last = next;
    count += 1;
  }
  return (count * DAY_MS) / (last.getTime() - now.getTime());
}

function clockChange(runs: readonly Date[], timeZone: string): string | null {
  const offsets = runs.map((run) => offsetName(run, timeZone));
  const index = offsets.findIndex((offset, at) => at > 0 && offset !== offsets[at - 1]);
  if (index < 1) return null;
  return `The UTC offset of ${timeZone} changes between these times, from ${offsets[index - 1]} to ${offsets[index]}.`;
}

function offsetName(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' });
  return parts.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? '';
}

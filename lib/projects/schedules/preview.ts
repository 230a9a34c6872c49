import { previewRuns } from './next-run';
import type { Schedule } from './schema';
import { scheduleWords, validateSchedule } from './validate';

export type SchedulePreview =
  | {
      ok: true;
      /** "every 10 min". */
      words: string;
      /** The next five, ISO 8601. */
      runs: string[];
      /** A sentence when the clocks change between the listed runs; null otherwise. */
      clockChange: string | null;
    }
  | { ok: false; field: 'expression' | 'timeZone'; error: string };

const SHOWN_RUNS = 5;

/** Returns when a schedule starts chains, in words and as the next five instants. */
export function previewSchedule(schedule: Schedule, now: Date): SchedulePreview {
  const valid = validateSchedule(schedule, now);
  if (!valid.ok) return valid;
  const runs = previewRuns(schedule, now, SHOWN_RUNS);
  return {
    ok: true,
    words: scheduleWords(schedule),
    runs: runs.map((run) => run.toISOString()),
    clockChange: clockChange(runs, schedule.timeZone),
  };
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

/**
 * When schedules run. Cron lines are read as crond reads them:
 *
 * - A line with `*` or a step in its minute or hour follows real time: slots in an hour that clocks skip don't
 *   exist, and an hour that comes twice has its slots twice.
 * - Any other line names times of the day: one that clocks skip runs right after the gap, and one that comes
 *   twice runs the first time.
 * - Day of month and weekday both have to match if either begins with `*`, as in `*\/2`; otherwise one of them.
 */
import { Cron } from 'croner';
import { instantShowing, shownAt } from '@/lib/platform/format/time-zone';
import type { Schedule } from './schema';

type CronSchedule = Extract<Schedule, { kind: 'cron' }>;

/** At most this many missed slots are listed, the newest ones. */
export const MAX_MISSED_SLOTS = 1_000;

/**
 * Returns the first slot after a time, a UTC instant; null for a manual schedule and for a cron line that no
 * date matches.
 *
 * @throws Error for a cron line or a time zone that can't be read, which is no end of the schedule
 */
export function nextRunAt(schedule: Schedule, after: Date): Date | null {
  switch (schedule.kind) {
    case 'manual':
      return null;
    case 'interval': {
      // Counted from the epoch, so a restart or an edit of something else shifts nothing.
      const everyMs = schedule.everySeconds * 1_000;
      return new Date((Math.floor(after.getTime() / everyMs) + 1) * everyMs);
    }
    case 'cron': {
      const next = cronOf(schedule).nextRun(after);
      const midnight = midnightAfterGap(schedule, after);
      return midnight && next && midnight > after && midnight < next ? midnight : next;
    }
  }
}

interface MissedSlots {
  /** The newest slot that is due; null where none is. */
  newest: Date | null;
  /** The older ones, oldest first, which will not run. */
  missed: Date[];
}

/** Slots from `dueAt`, itself one, up to and including now. */
export function missedSlots(schedule: Schedule, dueAt: Date, now: Date): MissedSlots {
  if (schedule.kind === 'manual' || dueAt > now) return { newest: null, missed: [] };
  const slots = [dueAt];
  let slot = nextRunAt(schedule, dueAt);
  while (slot !== null && slot <= now && slots.length <= MAX_MISSED_SLOTS) {
    slots.push(slot);
    slot = nextRunAt(schedule, slot);
  }
  const isMore = slot !== null && slot <= now;
  const listed = isMore ? newestSlots(schedule, now, MAX_MISSED_SLOTS + 1) : slots;
  return { newest: listed.at(-1) ?? null, missed: listed.slice(0, -1) };
}

/** Returns the newest slots up to and including now, oldest first. */
function newestSlots(schedule: Exclude<Schedule, { kind: 'manual' }>, now: Date, count: number) {
  if (schedule.kind === 'cron') {
    return cronOf(schedule)
      .previousRuns(count, new Date(now.getTime() + 1))
      .reverse();
  }
  const everyMs = schedule.everySeconds * 1_000;
  const newest = Math.floor(now.getTime() / everyMs);
  return Array.from({ length: count }, (_, at) => new Date((newest - count + 1 + at) * everyMs));
}

/** Returns the next `count` slots, for the page. */
export function previewRuns(schedule: Schedule, from: Date, count: number): Date[] {
  const runs: Date[] = [];
  let slot = nextRunAt(schedule, from);
  while (slot !== null && runs.length < count) {
    runs.push(slot);
    slot = nextRunAt(schedule, slot);
  }
  return runs;
}

/** Whether the day of the month and the weekday both have to match, as crond decides it. */
export function needsBothDays({ expression }: Pick<CronSchedule, 'expression'>): boolean {
  const [, , dayOfMonth = '', , weekday = ''] = expression.trim().split(/\s+/);
  return dayOfMonth.startsWith('*') || weekday.startsWith('*');
}

/** A larger step means the same; the library refuses it. */
const LARGEST_STEPS = [60, 24, 31, 12, 7];

function fieldsOf({ expression }: CronSchedule): string[] {
  return expression
    .trim()
    .split(/\s+/)
    .map((field, index) =>
      field.replace(/\/(\d+)/g, (_, step) => `/${Math.min(step, LARGEST_STEPS[index] ?? step)}`),
    );
}

function cronOf(schedule: CronSchedule, timezone = schedule.timeZone): Cron {
  return new Cron(fieldsOf(schedule).join(' '), {
    timezone,
    mode: '5-part',
    sloppyRanges: true,
    fixedTimeRule: 'no-wildcard',
    domAndDow: needsBothDays(schedule),
  });
}

/**
 * Returns the next midnight if the next time on the clock is one that clocks skip; null otherwise. The library
 * leaves out such a time if the gap ends the day, as in Nuuk, where 23:00 is followed by midnight.
 */
function midnightAfterGap(schedule: CronSchedule, after: Date): Date | null {
  const { timeZone } = schedule;
  const [minute, hour] = fieldsOf(schedule);
  if (/[*/]/.test(`${minute}${hour}`)) return null;
  const next = cronOf(schedule, 'UTC').nextRun(new Date(shownAt(after, timeZone)));
  if (!next || shownAt(instantShowing(next.getTime(), timeZone), timeZone) === next.getTime()) {
    return null;
  }
  return instantShowing(next.setUTCHours(24, 0, 0, 0), timeZone);
}

/**
 * Returns the instant of a local time in a zone, such as `2026-12-01T22:00`. Null for a day that
 * does not exist, such as 31 April.
 */
export function instantOf(wallTime: string, timeZone: string): Date | null {
  const shown = Date.parse(`${wallTime}:00Z`);
  if (Number.isNaN(shown) || !new Date(shown).toISOString().startsWith(wallTime)) return null;
  return instantShowing(shown, timeZone);
}

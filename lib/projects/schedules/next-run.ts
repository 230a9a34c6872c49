import { CronExpressionParser } from 'cron-parser';
import { instantShowing } from '@/lib/platform/format/time-zone';
import type { Schedule } from './schema';

/** At most this many missed slots are listed, the newest ones. */
export const MAX_MISSED_SLOTS = 1_000;

/**
 * Returns the first slot after a time; null for a schedule without one. Slots are UTC instants: an
 * hour that clocks repeat has its slots twice, and a slot in an hour that they skip comes an hour
 * later.
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
    case 'cron':
      return nextCronSlot(schedule, after);
  }
}

/** Returns the latest slot of a cron schedule at or before a time, or null. */
export function previousRunAt(schedule: Schedule & { kind: 'cron' }, at: Date): Date | null {
  try {
    // A slot at exactly this time counts, and the parser searches backwards from its argument.
    return cronFrom(schedule, new Date(at.getTime() + 1))
      .prev()
      .toDate();
  } catch {
    return null;
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
  let slot = nextRunAt(schedule, laterOf(dueAt, farthestBack(schedule, now)));
  while (slot !== null && slot <= now) {
    slots.push(slot);
    slot = nextRunAt(schedule, slot);
  }
  return { newest: slots.at(-1) ?? null, missed: slots.slice(0, -1).slice(-MAX_MISSED_SLOTS) };
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

function nextCronSlot(schedule: Schedule & { kind: 'cron' }, after: Date): Date | null {
  try {
    let next = cronFrom(schedule, after).next().toDate();
    // Forwards the parser passes over the second half of a repeated hour, backwards it does not.
    for (;;) {
      const before = cronFrom(schedule, next).prev().toDate();
      if (before <= after) return next;
      next = before;
    }
  } catch {
    return null;
  }
}

function cronFrom(schedule: Schedule & { kind: 'cron' }, currentDate: Date) {
  return CronExpressionParser.parse(schedule.expression, { tz: schedule.timeZone, currentDate });
}

/** After a long downtime the oldest slots are neither run nor listed, so they are not walked. */
function farthestBack(schedule: Schedule, now: Date): Date {
  if (schedule.kind === 'interval') {
    const spanMs = (MAX_MISSED_SLOTS + 1) * schedule.everySeconds * 1_000;
    return new Date(now.getTime() - spanMs);
  }
  if (schedule.kind === 'manual') return now;
  const slots = cronFrom(schedule, now);
  let oldest = now;
  for (let count = 0; count <= MAX_MISSED_SLOTS; count += 1) {
    try {
      oldest = slots.prev().toDate();
    } catch {
      break;
    }
  }
  return oldest;
}

function laterOf(a: Date, b: Date): Date {
  return a > b ? a : b;
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

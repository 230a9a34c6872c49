/** Times that come back every week, such as quiet hours: pure, in a time zone. */

import { z } from 'zod';
import { instantShowing, isTimeZone, shownAt } from '@/lib/platform/format/time-zone';
import { WEEKDAYS, type Weekday } from './weekdays';

const timeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Enter a time from 00:00 to 23:59, such as 22:00.');

/** Times on the clocks of the zone. One that isn't after `from` is on the next day. */
export const weeklyFields = {
  days: z
    .array(z.enum(WEEKDAYS))
    .min(1, 'Choose at least one day.')
    .transform((days) => WEEKDAYS.filter((day) => days.includes(day)))
    .meta({ description: 'The days on which it begins.' }),
  from: timeOfDay.meta({ description: 'When it begins, such as 22:00.' }),
  to: timeOfDay.meta({
    description: 'When it ends; not later than `from`: on the next day.',
  }),
};

export const timeZoneSchema = z
  .string()
  .refine(isTimeZone, 'This time zone isn’t known. Enter an IANA name, such as Europe/Berlin.')
  .meta({ description: 'IANA name, such as Europe/Berlin.' });

export interface Weekly {
  days: readonly Weekday[];
  /** `22:00` */
  from: string;
  to: string;
}

interface Span {
  startsAt: Date;
  /** It is over at this instant. */
  endsAt: Date;
}

const DAY_MS = 86_400_000;

/**
 * Returns when it happens in the days around `now`. Both ends are instants, so that times that follow each
 * other on the clock also do when clocks are changed: an end in an hour that comes twice is the first one,
 * and in one that is skipped as much later.
 */
function spansAround(weekly: Weekly, timeZone: string, now: Date): Span[] {
  const today = Math.floor(shownAt(now, timeZone) / DAY_MS) * DAY_MS;
  const spans: Span[] = [];
  for (let away = -2; away <= 1; away += 1) {
    const day = today + away * DAY_MS;
    if (!weekly.days.includes(weekdayOf(day))) continue;
    const isSameDay = msOf(weekly.to) > msOf(weekly.from);
    const lastDay = isSameDay ? day : day + DAY_MS;
    spans.push({
      startsAt: instantShowing(day + msOf(weekly.from), timeZone),
      endsAt: instantShowing(lastDay + msOf(weekly.to), timeZone),
    });
  }
  return spans;
}

/** Returns when it ends if it is going on; null if it isn't. */
export function endOfCurrent(weekly: Weekly, timeZone: string, now: Date): Date | null {
  const current = spansAround(weekly, timeZone, now).filter((span) => isWithin(span, now));
  return current.reduce<Date | null>(
    (last, { endsAt }) => (last === null || endsAt > last ? endsAt : last),
    null,
  );
}

function isWithin({ startsAt, endsAt }: Span, at: Date): boolean {
  return startsAt <= at && at < endsAt;
}

/** @param shown midnight, as if the clocks showed UTC */
function weekdayOf(shown: number): Weekday {
  return WEEKDAYS[(new Date(shown).getUTCDay() + 6) % 7] ?? 'mon';
}

function msOf(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;
}

/** Reads iCalendar files, of whatever program wrote them. */

import { runInNewContext } from 'node:vm';
import ICAL from 'ical.js';
import { instantShowing, isTimeZone } from '@/lib/platform/format/time-zone';
import type { CalendarEvent } from './on-call';

const LONGEST_MS = 1_000;
const MAX_EVENTS = 500;
const MAX_ATTENDEES = 20;
const DAY_MS = 86_400_000;

interface CalendarFile {
  /** What it calls itself; null if it doesn't. */
  name: string | null;
  events: CalendarEvent[];
}

export class UnreadableCalendarError extends Error {
  override name = 'UnreadableCalendarError';
  constructor(readonly reason: 'not_ical' | 'too_complex') {
    super(reason);
  }
}

/**
 * Returns the name and the events of a file, from a day before `now` to a week after it, in order: each repetition with its
 * exceptions, and without canceled ones. A time without a known zone is in the zone of the calendar, else UTC.
 *
 * @throws UnreadableCalendarError
 */
export function readCalendar(text: string, now: Date): CalendarFile {
  try {
    // A rule that never matches makes the parser search for ever. Only a time limit of a script ends that.
    return runInNewContext('read()', { read: () => parse(text, now) }, { timeout: LONGEST_MS });
  } catch (error) {
    // Not an instance of this realm's Error.
    const { code } = error as { code?: unknown };
    const isLate = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    throw new UnreadableCalendarError(isLate ? 'too_complex' : 'not_ical');
  }
}

function parse(text: string, now: Date): CalendarFile {
  const [from, to] = [now.getTime() - DAY_MS, now.getTime() + 7 * DAY_MS];
  const calendar = new ICAL.Component(ICAL.parse(text));
  if (calendar.name !== 'vcalendar') throw new UnreadableCalendarError('not_ical');
  const named = String(calendar.getFirstPropertyValue('x-wr-timezone') ?? '');
  const zone = isTimeZone(named) ? named : 'UTC';
  const components = calendar.getAllSubcomponents('vevent');
  const exceptions = new Map<unknown, ICAL.Component[]>();
  for (const component of components) {
    if (!component.hasProperty('recurrence-id')) continue;
    const uid = component.getFirstPropertyValue('uid');
    exceptions.set(uid, [...(exceptions.get(uid) ?? []), component]);
  }
  const events = components
    .flatMap((component) => {
      const isException = component.hasProperty('recurrence-id');
      const uid = component.getFirstPropertyValue('uid');
      const own = isException ? [] : (exceptions.get(uid) ?? []);
      return occurrencesOf(new ICAL.Event(component, { exceptions: own }), { from, to, zone });
    })
    .filter((event) => Date.parse(event.to) > from && Date.parse(event.from) < to)
    .toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from))
    .slice(0, MAX_EVENTS);
  const name = String(calendar.getFirstPropertyValue('x-wr-calname') ?? '').trim();
  return { name: name.slice(0, 60) || null, events };
}

interface Window {
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
  /** Of the calendar. */
  zone: string;
}

function occurrencesOf(event: ICAL.Event, { from, to, zone }: Window): CalendarEvent[] {
  const { startDate, endDate } = event;
  if (!event.isRecurring()) return calendarEvent(event, startDate, endDate, zone);
  const found: CalendarEvent[] = [];
  const longestMs = event.duration.toSeconds() * 1_000 + 2 * DAY_MS;
  const iterator = event.iterator();
  for (let next = iterator.next(); next; next = iterator.next()) {
    // Without its zone, which is at most a day away.
    const aboutMs = next.toUnixTime() * 1_000;
    if (aboutMs > to + DAY_MS) break;
    if (aboutMs + longestMs < from && !event.rangeExceptions.length) continue;
    const { item, ...times } = event.getOccurrenceDetails(next);
    found.push(...calendarEvent(item, times.startDate, times.endDate, zone));
  }
  return found;
}

function calendarEvent(
  event: ICAL.Event,
  start: ICAL.Time,
  end: ICAL.Time,
  zone: string,
): CalendarEvent[] {
  if (event.component.getFirstPropertyValue('status') === 'CANCELLED') return [];
  const tzid = String(event.component.getFirstProperty('dtstart')?.getParameter('tzid') ?? '');
  return [
    {
      from: instantOf(start, tzid, zone).toISOString(),
      to: instantOf(end, tzid, zone).toISOString(),
      attendees: event.attendees.flatMap(addressOf).slice(0, MAX_ATTENDEES),
      title: String(event.summary ?? '').slice(0, 200),
    },
  ];
}

function instantOf(time: ICAL.Time, tzid: string, zone: string): Date {
  const isFloating = time.zone === ICAL.Timezone.localTimezone;
  if (!isFloating && !isTimeZone(tzid)) return time.toJSDate();
  const { year, month, day, hour, minute, second } = time;
  const shown = Date.UTC(year, month - 1, day, hour, minute, second);
  return instantShowing(shown, isTimeZone(tzid) ? tzid : zone);
}

/** Returns the e-mail address of an attendee; nothing for rooms and for whoever has declined. */
function addressOf(attendee: ICAL.Property): string[] {
  if (attendee.getParameter('partstat') === 'DECLINED') return [];
  if (['ROOM', 'RESOURCE'].includes(String(attendee.getParameter('cutype')))) return [];
  const value = String(attendee.getFirstValue()).replace(/^mailto:/i, '');
  const address = String(attendee.getParameter('email') ?? value).toLowerCase();
  return /^[^\s@]+@[^\s@]+$/.test(address) ? [address] : [];
}

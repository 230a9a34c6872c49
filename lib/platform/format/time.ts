import { shownAt } from './time-zone';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Parts of a time as a zone's clocks and calendars show it. */
interface Local {
  weekday: string;
  day: string;
  month: string;
  year: string;
  hour: string;
  minute: string;
  second: string;
}

/**
 * `just now`, `42s ago`, `3 min ago`, `2 h ago`, `yesterday 14:02`, `12 Nov 14:02`, `12 Nov 2025`;
 * ahead `in 12 min`. `timeZone` is an IANA name.
 */
export function formatRelativeTime(at: Date, now: Date, timeZone: string): string {
  const pastMs = now.getTime() - at.getTime();
  if (Math.abs(pastMs) < 10 * SECOND) return 'just now';
  if (pastMs < 0) return formatFuture(at, now, timeZone);
  if (pastMs < MINUTE) return `${Math.floor(pastMs / SECOND)}s ago`;
  if (pastMs < HOUR) return `${Math.floor(pastMs / MINUTE)} min ago`;
  const days = calendarDay(now, timeZone) - calendarDay(at, timeZone);
  if (days === 0 || pastMs < 2 * HOUR) return `${Math.floor(pastMs / HOUR)} h ago`;
  const { hour, minute } = local(at, timeZone);
  return days === 1 ? `yesterday ${hour}:${minute}` : formatDay(at, now, timeZone);
}

function formatFuture(at: Date, now: Date, timeZone: string): string {
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs < MINUTE) return `in ${Math.ceil(aheadMs / SECOND)}s`;
  if (aheadMs < HOUR) return `in ${Math.round(aheadMs / MINUTE)} min`;
  if (aheadMs < DAY) return `in ${Math.round(aheadMs / HOUR)} h`;
  return formatDay(at, now, timeZone);
}

/** `12 Nov 14:02`; another year `12 Nov 2025`. */
export function formatDay(at: Date, now: Date, timeZone: string): string {
  const { day, month, year, hour, minute } = local(at, timeZone);
  const isThisYear = year === local(now, timeZone).year;
  return isThisYear ? `${day} ${month} ${hour}:${minute}` : `${day} ${month} ${year}`;
}

/** The tip: `Sat 21 Nov 2026, 14:02:31 CET · 13:02:31 UTC`. */
export function formatFullTime(at: Date, timeZone: string): string {
  const here = local(at, timeZone);
  const zone = zoneName(at, timeZone);
  const text = `${here.weekday} ${here.day} ${here.month} ${here.year}, ${clock(here)} ${zone}`;
  return zone === 'UTC' ? text : `${text} · ${clock(local(at, 'UTC'))} UTC`;
}

/** `14:02`. */
export function formatClock(at: Date, timeZone: string): string {
  const { hour, minute } = local(at, timeZone);
  return `${hour}:${minute}`;
}

/** `14:02` on the day of `now`, else `12 Nov 14:02`. */
export function formatMoment(at: Date, now: Date, timeZone: string): string {
  const isSameDay = calendarDay(at, timeZone) === calendarDay(now, timeZone);
  return isSameDay ? formatClock(at, timeZone) : formatDay(at, now, timeZone);
}

/** A line of the log: `14:02:31.482`. */
export function formatLogTime(at: Date, timeZone: string): string {
  return `${clock(local(at, timeZone))}.${pad(at.getUTCMilliseconds(), 3)}`;
}

/** Days since the epoch on the zone's calendar. */
function calendarDay(at: Date, timeZone: string): number {
  return Math.floor(shownAt(at, timeZone) / DAY);
}

function clock({ hour, minute, second }: Local): string {
  return `${hour}:${minute}:${second}`;
}

/**
 * The short name of a zone at a moment: `CET`, `EST`, `AEDT`; one that English has no name for stays
 * `GMT+9`. Each variety of English knows the names of its own part of the world.
 */
function zoneName(at: Date, timeZone: string): string {
  for (const language of ['en-GB', 'en-US', 'en-AU', 'en-IN']) {
    const name = zoneNameIn(language, at, timeZone);
    if (!/^GMT[+-]/.test(name)) return name;
  }
  return zoneNameIn('en-GB', at, timeZone);
}

function zoneNameIn(language: string, at: Date, timeZone: string): string {
  const key = `${language} ${timeZone}`;
  const format =
    zoneFormats.get(key) ?? new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' });
  zoneFormats.set(key, format);
  return format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

const zoneFormats = new Map<string, Intl.DateTimeFormat>();
const formats = new Map<string, Intl.DateTimeFormat>();

function local(at: Date, timeZone: string): Local {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return {
    weekday: part('weekday'),
    day: part('day'),
    // "Sept" is the only month that British English shortens to four letters.
    month: part('month').slice(0, 3),
    year: part('year'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

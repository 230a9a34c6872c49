/** What the clocks and calendars of a time zone show. Zones are IANA names. */

const DAY_MS = 86_400_000;

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A time as the clocks of a zone show it, written as if they showed UTC. */
type ShownMs = number;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns what the clocks of a zone show, to the second. */
export function shownAt(at: Date, timeZone: string): ShownMs {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
}

/**
 * Returns the instant at which the clocks of a zone show a time. In an hour that comes twice it is
 * the first; in one that clocks skip, as much later as they were moved.
 */
export function instantShowing(shown: ShownMs, timeZone: string): Date {
  // A day before and after a change, its two offsets apply.
  const [before, after] = [-DAY_MS, DAY_MS].map((away) => {
    const near = shown + away;
    return new Date(shown - (shownAt(new Date(near), timeZone) - near));
  }) as [Date, Date];
  const fits = [before, after].filter((at) => shownAt(at, timeZone) === shown);
  return fits.length > 0 ? new Date(Math.min(...fits.map(Number))) : before;
}

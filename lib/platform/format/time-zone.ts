/** What the clocks and calendars of a time zone show. Zones are IANA names. */

const DAY_MS = 86_400_000;

/** A time as the clocks of a zone show it, written as if they showed UTC. */
type ShownMs = number;

/** Making one takes longer than using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError if there is no such zone */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
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
  return format;
}

export function isTimeZone(name: string): boolean {
  try {
    return Boolean(formatOf(name));
  } catch {
    return false;
  }
}

/** Returns what the clocks of a zone show, to the second. */
export function shownAt(at: Date, timeZone: string): ShownMs {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
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

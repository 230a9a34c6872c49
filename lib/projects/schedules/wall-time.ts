const MINUTE_MS = 60_000;

/**
 * The instant at which clocks of a zone show a time such as `2026-12-01T22:00`. In an hour that
 * comes twice it is the first; in one that clocks skip, as much later as they were moved.
 * Null for a day that does not exist, such as 31 April.
 */
export function instantOf(wallTime: string, timeZone: string): Date | null {
  const asUtc = Date.parse(`${wallTime}:00Z`);
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(wallTime)) return null;
  const before = asUtc - offsetMs(asUtc - 86_400_000, timeZone);
  const after = asUtc - offsetMs(asUtc + 86_400_000, timeZone);
  const fits = [before, after].filter((at) => at + offsetMs(at, timeZone) === asUtc);
  return new Date(fits.length > 0 ? Math.min(...fits) : before);
}

/** How far a zone's clocks are ahead of UTC at an instant. */
function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((each) => each.type === type)?.value);
  const shown = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
  );
  return shown - Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

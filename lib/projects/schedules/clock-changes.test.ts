/** Cron lines where clocks change, in every zone, against a walk over each minute. */
import { describe, expect, it } from 'vitest';
import { shownAt } from '@/lib/platform/format/time-zone';
import { nextRunAt } from './next-run';
import type { Schedule } from './schema';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FROM = Date.parse('2026-12-01T00:00:00Z');
const TO = Date.parse('2028-12-01T00:00:00Z');

const SPARSE = [
  ...['0 0 * * *', '30 0 * * *', '0 3 * * *', '30 2 * * *', '0 2 * * *', '0 12 * * *'],
  ...['30 23 * * *', '15,45 23 * * *', '59 23 * * 6', '0 0 * * 0', '7 4 * * 7', '15 2,14 * * *'],
  ...['30 0,1,2,3 * * *', '45 1-3 * * *', '0 */6 * * *', '0 */2 * * *', '0 0-23/2 * * *'],
  ...['0 9 */2 * 1', '0 9 1-7 * 1', '0 9 13 * fri', '0 0 */3 * 1-5', '0 8 1,15 * */2'],
  ...['0 0 31 * *', '0 0 1 1 *', '0 0 29 2 *', '0 0 * 3,9 sun'],
];
const DENSE = ['*/15 * * * *', '5/20 * * * *', '*/10 2 * * *', '0-30/10 0-6 * * *'];

/** Where a zone's clocks change: `at` is the first minute that shows the new time. */
interface Change {
  at: number;
  before: number;
  after: number;
}

const offsetAt = (at: number, zone: string) => shownAt(new Date(at), zone) - at;

function changesOf(zone: string): Change[] {
  const changes: Change[] = [];
  let before = offsetAt(FROM, zone);
  for (let day = FROM; day < TO; day += DAY) {
    const after = offsetAt(day + DAY, zone);
    if (after === before) continue;
    let [low, high] = [day, day + DAY];
    while (high - low > MINUTE) {
      const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE;
      if (offsetAt(middle, zone) === before) low = middle;
      else high = middle;
    }
    changes.push({ at: high, before, after });
    before = after;
  }
  return changes;
}

/** Zones whose clocks change at the same times of the same days by as much, one of each. */
function differentZones(): Map<string, Change[]> {
  const found = new Map<string, [string, Change[]]>();
  for (const zone of [...Intl.supportedValuesOf('timeZone'), 'UTC']) {
    const changes = changesOf(zone);
    const key = changes.map(({ at, before, after }) => [at + before, after - before]).join();
    if (!found.has(key)) found.set(key, [zone, changes]);
  }
  return new Map(found.values());
}

const NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function valuesOf(field: string, min: number, max: number): Set<number> {
  const values = new Set<number>();
  for (const item of field.split(',')) {
    const [range = '', step] = item.split('/');
    const number = (text: string) => (NAMES.includes(text) ? NAMES.indexOf(text) : Number(text));
    const [first = '', last] = range.split('-');
    const from = range === '*' ? min : number(first);
    const to = last !== undefined ? number(last) : step || range === '*' ? max : from;
    for (let value = from; value <= to; value += Number(step ?? 1)) values.add(value);
  }
  return values;
}

/** Whether what the clocks show matches a line. */
function matcherOf(line: string): (shown: number) => boolean {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = line.split(' ');
  const minutes = valuesOf(minute, 0, 59);
  const hours = valuesOf(hour, 0, 23);
  const days = valuesOf(day, 1, 31);
  const months = valuesOf(month, 1, 12);
  const weekdays = valuesOf(weekday, 0, 7);
  const needsBoth = day.startsWith('*') || weekday.startsWith('*');
  return (shown) => {
    const at = new Date(shown);
    if (!minutes.has(at.getUTCMinutes()) || !hours.has(at.getUTCHours())) return false;
    if (!months.has(at.getUTCMonth() + 1)) return false;
    const isDay = days.has(at.getUTCDate());
    const isWeekday = weekdays.has(at.getUTCDay()) || (at.getUTCDay() === 0 && weekdays.has(7));
    return needsBoth ? isDay && isWeekday : isDay || isWeekday;
  };
}

/** The slots after `from`, up to and including `to`, as crond would run them around a change. */
function walk(line: string, change: Change, from: number, to: number): number[] {
  const matches = matcherOf(line);
  const followsRealTime = /[*/]/.test(line.split(' ').slice(0, 2).join(''));
  const slots: number[] = [];
  const { at: changeAt, before, after } = change;
  for (let at = from + MINUTE; at <= to; at += MINUTE) {
    const shown = at + (at < changeAt ? before : after);
    const isRepeated = at >= changeAt && shown < changeAt + before;
    let isSlot = matches(shown) && (followsRealTime || !isRepeated);
    if (at === changeAt && !followsRealTime) {
      for (let skipped = at + before; skipped < at + after; skipped += MINUTE) {
        isSlot ||= matches(skipped);
      }
    }
    if (isSlot) slots.push(at);
  }
  return slots;
}

const cron = (expression: string, timeZone: string): Schedule => {
  return { kind: 'cron', expression, timeZone };
};
const iso = (at: number) => new Date(at).toISOString().slice(0, 16);

describe('[SIG-3.1] a cron line where clocks change', () => {
  const zones = differentZones();

  it('covers gaps at midnight, before it, of half an hour and of two hours', () => {
    const kinds = [...zones.values()].flat().map(({ at, before, after }) => {
      return `${iso(at + before).slice(11)} ${(after - before) / MINUTE}`;
    });
    expect(kinds).toEqual(
      expect.arrayContaining(['00:00 60', '23:00 60', '02:00 30', '01:00 120', '02:45 60']),
    );
  });

  it.each([...zones])('runs in %s as a walk over each minute finds', (zone, changes) => {
    for (const change of changes) {
      for (const line of [...SPARSE, ...DENSE]) {
        const away = DENSE.includes(line) ? 3 * HOUR : 30 * HOUR;
        const [from, to] = [change.at - away, change.at + away];
        const slots: number[] = [];
        let next = nextRunAt(cron(line, zone), new Date(from));
        while (next && next.getTime() <= to) {
          // Never the same instant, and never backwards.
          expect(next.getTime(), `${line} after ${slots.length}`).toBeGreaterThan(
            slots.at(-1) ?? from,
          );
          slots.push(next.getTime());
          next = nextRunAt(cron(line, zone), next);
        }
        expect(next, line).not.toBeNull();
        expect(slots.map(iso), line).toEqual(walk(line, change, from, to).map(iso));
      }
    }
  });

  it.each<[string, string, string, string[]]>([
    ['0 0 * * *', 'America/Santiago', '2027-09-04T04:00', ['2027-09-05T04:00', '2027-09-06T03:00']],
    ['0 */6 * * *', 'America/Santiago', '2027-09-04T22:00', ['2027-09-05T09:00']],
    ['*/15 * * * *', 'Pacific/Chatham', '2027-04-03T13:00', ['2027-04-03T13:15']],
    ['0 12 * * *', 'Australia/Lord_Howe', '2027-10-02T01:30', ['2027-10-03T01:00']],
    ['30 23 * * *', 'America/Nuuk', '2027-03-27T01:30', ['2027-03-28T01:00', '2027-03-29T00:30']],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00', ['2026-10-25T00:30', '2026-10-26T01:30']],
  ])('%s in %s after %s', (line, zone, after, expected) => {
    let at = new Date(`${after}:00Z`);
    const runs = expected.map(() => {
      at = nextRunAt(cron(line, zone), at) ?? at;
      return iso(at.getTime());
    });
    expect(runs).toEqual(expected);
  });

  it('throws for a zone that this system doesn’t know, and never says that there is no further run', () => {
    expect(() => nextRunAt(cron('0 0 * * *', 'Mars/Olympus'), new Date(FROM))).toThrow();
  });
});

describe('[SIG-3.1] day of month with a weekday, as crond reads them', () => {
  it.each<[string, string[]]>([
    ['0 9 */2 * 1', ['2026-12-07', '2026-12-21', '2027-01-11', '2027-01-25']],
    ['0 9 1-7 * */2', ['2026-12-01', '2026-12-03', '2026-12-05', '2026-12-06']],
    ['0 9 1-7 * 1', ['2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04']],
    ['0 9 13 * fri', ['2026-12-04', '2026-12-11', '2026-12-13', '2026-12-18']],
    ['0 9 * * 1', ['2026-12-07', '2026-12-14', '2026-12-21', '2026-12-28']],
    ['0 9 L * *', ['2026-12-31', '2027-01-31', '2027-02-28', '2027-03-31']],
    ['0 9 * * MON#1', ['2026-12-07', '2027-01-04', '2027-02-01', '2027-03-01']],
    ['0 9 */40 * *', ['2026-12-01', '2027-01-01', '2027-02-01', '2027-03-01']],
  ])('%s', (line, expected) => {
    let at = new Date('2026-12-01T00:00:00Z');
    const days = expected.map(() => {
      at = nextRunAt(cron(line, 'UTC'), at) ?? at;
      return iso(at.getTime()).slice(0, 10);
    });
    expect(days).toEqual(expected);
  });
});

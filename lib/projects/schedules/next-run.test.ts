import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MISSED_SLOTS, missedSlots, nextRunAt, previewRuns } from './next-run';
import type { Schedule } from './schema';
import { scheduleWords, validateSchedule } from './validate';

function cron(expression: string, timeZone = 'UTC'): Schedule {
  return { kind: 'cron', expression, timeZone };
}
function every(everySeconds: number): Schedule {
  return { kind: 'interval', everySeconds, timeZone: 'UTC' };
}
const manual: Schedule = { kind: 'manual', timeZone: 'UTC' };

function iso(date: Date | null): string | null {
  return date?.toISOString().replace('.000Z', 'Z') ?? null;
}

describe('nextRunAt', () => {
  it.each<[string, Schedule, string, string | null]>([
    ['an interval from the epoch', every(600), '2026-11-21T13:54:12Z', '2026-11-21T14:00:00Z'],
    ['strictly after', every(600), '2026-11-21T14:00:00Z', '2026-11-21T14:10:00Z'],
    ['an odd interval', every(420), '1970-01-01T00:07:01Z', '1970-01-01T00:14:00Z'],
    ['cron', cron('0 9 * * *'), '2026-11-21T08:59:59Z', '2026-11-21T09:00:00Z'],
    ['cron, strictly after', cron('0 9 * * *'), '2026-11-21T09:00:00Z', '2026-11-22T09:00:00Z'],
    [
      'cron in its zone',
      cron('0 9 * * *', 'Asia/Tokyo'),
      '2026-11-21T08:00:00Z',
      '2026-11-22T00:00:00Z',
    ],
    ['manual', manual, '2026-11-21T08:00:00Z', null],
    ['a date that never comes', cron('0 0 30 2 *'), '2026-11-21T08:00:00Z', null],
  ])('%s', (_title, schedule, after, expected) => {
    expect(iso(nextRunAt(schedule, new Date(after)))).toBe(expected);
  });
});

describe('[SAS-2.1] previewRuns where clocks change', () => {
  it.each<[string, Schedule, string, string[]]>([
    [
      'a time that comes twice runs once',
      cron('30 2 * * *', 'Europe/Berlin'),
      '2026-10-24T12:00:00Z',
      ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z', '2026-10-27T01:30:00Z'],
    ],
    [
      'and every half hour continues without a gap',
      cron('*/30 * * * *', 'Europe/London'),
      '2026-10-25T00:00:00Z',
      ['2026-10-25T00:30:00Z', '2026-10-25T01:00:00Z', '2026-10-25T01:30:00Z'],
    ],
    [
      'a time that is skipped runs right after the gap',
      cron('30 2 * * *', 'Europe/Berlin'),
      '2026-03-28T12:00:00Z',
      ['2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z', '2026-03-31T00:30:00Z'],
    ],
    [
      'an interval does not care',
      every(3_600),
      '2026-10-25T00:00:00Z',
      ['2026-10-25T01:00:00Z', '2026-10-25T02:00:00Z', '2026-10-25T03:00:00Z'],
    ],
  ])('%s', (_title, schedule, from, expected) => {
    expect(previewRuns(schedule, new Date(from), expected.length).map(iso)).toEqual(expected);
  });

  it('gives nothing for a schedule that never fires', () => {
    expect(previewRuns(manual, new Date(), 5)).toEqual([]);
  });
});

describe('[SAS-3.2] missedSlots', () => {
  function missed(schedule: Schedule, dueAt: string, now: string) {
    const slots = missedSlots(schedule, new Date(dueAt), new Date(now));
    return [iso(slots.newest), ...slots.missed.map(iso)];
  }

  it.each<[string, Schedule, string, string, (string | null)[]]>([
    [
      'a slot on time',
      every(600),
      '2026-11-21T14:00:00Z',
      '2026-11-21T14:00:01Z',
      ['2026-11-21T14:00:00Z'],
    ],
    [
      'a slot at its instant',
      every(600),
      '2026-11-21T14:00:00Z',
      '2026-11-21T14:00:00Z',
      ['2026-11-21T14:00:00Z'],
    ],
    ['not due yet', every(600), '2026-11-21T14:00:00Z', '2026-11-21T13:59:59Z', [null]],
    [
      'only the newest after a downtime',
      every(600),
      '2026-11-21T14:00:00Z',
      '2026-11-21T14:25:00Z',
      ['2026-11-21T14:20:00Z', '2026-11-21T14:00:00Z', '2026-11-21T14:10:00Z'],
    ],
    [
      'cron over a repeated hour',
      cron('*/60 2 * * *', 'Europe/Berlin'),
      '2026-10-25T00:00:00Z',
      '2026-10-25T03:00:00Z',
      ['2026-10-25T01:00:00Z', '2026-10-25T00:00:00Z'],
    ],
    ['manual', manual, '2026-11-21T14:00:00Z', '2026-11-21T14:25:00Z', [null]],
  ])('%s', (_title, schedule, dueAt, now, expected) => {
    expect(missed(schedule, dueAt, now)).toEqual(expected);
  });

  it.each([every(30), cron('* * * * *')])('does not walk years of %j', (schedule) => {
    const now = new Date('2026-11-21T14:00:10Z');
    const { newest, missed } = missedSlots(schedule, new Date('2016-01-01T00:00:00Z'), now);
    expect(iso(newest)).toBe('2026-11-21T14:00:00Z');
    expect(missed).toHaveLength(MAX_MISSED_SLOTS);
    expect(missed.every((slot, index) => index === 0 || slot > (missed[index - 1] ?? slot))).toBe(
      true,
    );
  });
});

describe('validateSchedule', () => {
  const now = new Date('2026-11-21T14:00:00Z');
  function problem(schedule: Schedule): string | null {
    const valid = validateSchedule(schedule, now);
    return valid.ok ? null : `${valid.field}: ${valid.error}`;
  }

  it.each([
    cron('*/10 8-18 * * 1-5'),
    cron('0 0 29 2 *'),
    cron('0 9 * jan,JUL mon-fri'),
    cron('0 0 L * *'),
    cron('0 9 * * MON#1'),
    cron('0 9 * * 7', 'America/New_York'),
    every(600),
    manual,
  ])('takes %j', (schedule) => {
    expect(problem(schedule)).toBeNull();
  });

  it.each<[string, string]>([
    ['*/7 25 * * *', 'hour goes from 0 to 23'],
    ['60 * * * *', 'minute goes from 0 to 59'],
    ['0 0 0 * *', 'day of month goes from 1 to 31'],
    ['0 0 * 13 *', 'month goes from 1 to 12'],
    ['0 0 * * 8', 'day of week goes from 0 to 7'],
    ['*/0 * * * *', 'minute needs a step of at least 1 after the slash'],
    ['5-1 * * * *', 'minute 5-1 runs backwards'],
    ['0 9 * * xyz', "day of week can't be xyz"],
    ['H 9 * * * ', "minute can't be h"],
    ['0,,5 * * * *', "minute can't be 0,,5"],
    ['0 0 L/2 * *', "day of month can't be l/2"],
    ['0 0 * * MON#1/2', "day of week can't be mon#1/2"],
    ['1-2-3 * * * *', "minute can't be 1-2-3"],
    ['* * * *', 'it needs five fields (minute, hour, day of month, month, day of week), not 4'],
    ['* * * * * *', 'it needs five fields (minute, hour, day of month, month, day of week), not 6'],
    ['@monthly', 'it needs five fields (minute, hour, day of month, month, day of week), not 1'],
    ['0 0 30 2 *', 'no date ever matches it'],
    ['0 0 31 4,6 *', 'no date ever matches it'],
  ])('refuses %s: %s', (expression, expected) => {
    expect(problem(cron(expression))).toBe(
      `expression: \`${expression}\` isn't a schedule: ${expected}.`,
    );
  });

  it('[SIG-3.1] takes nothing that has no next run, and throws for nothing that people type', () => {
    const items = [
      ...[
        '*',
        '*/2',
        '*/70',
        '5',
        '05',
        '5/15',
        '1-5',
        '1-5/9',
        '0-7',
        '5-7',
        '31',
        'L',
        'l',
        'L/2',
        '?',
        'W',
      ],
      ...[
        'mon',
        'SUN',
        'fri-sun',
        'mon-7',
        'mon/2',
        '1#2',
        'MON#1',
        '5L',
        'FRIL',
        '7L',
        'jan',
        'mar-DEC/3',
        '15W',
        '',
      ],
    ];
    const odd = fc.array(fc.constantFrom(...items), { minLength: 1, maxLength: 2 });
    const field = fc.oneof({ weight: 2, arbitrary: fc.constant(['*']) }, odd);
    let taken = 0;
    const line = fc.tuple(field, field, field, field, field);
    fc.assert(
      fc.property(line, (fields) => {
        const schedule = cron(fields.map((each) => each.join(',')).join(' '), 'Europe/Berlin');
        if (!validateSchedule(schedule, now).ok) return;
        taken += 1;
        const first = nextRunAt(schedule, now);
        expect(first?.getTime()).toBeGreaterThan(now.getTime());
        expect(scheduleWords(schedule)).not.toBe('');
      }),
      { seed: 31, numRuns: 5_000 },
    );
    expect(taken).toBeGreaterThan(500);
  });

  it('refuses a zone that does not exist', () => {
    const expected =
      'timeZone: There is no time zone named Mars/Olympus. Use a name such as Europe/Berlin or UTC.';
    expect(problem(cron('0 9 * * *', 'Mars/Olympus'))).toBe(expected);
    expect(problem({ kind: 'interval', everySeconds: 60, timeZone: 'Mars/Olympus' })).toBe(
      expected,
    );
  });
});

describe('scheduleWords', () => {
  it.each<[Schedule, string]>([
    [every(600), 'every 10m'],
    [every(5_400), 'every 1h 30m'],
    [manual, 'only manually'],
    [cron('0 9 * * 1-5', 'Europe/Berlin'), 'At 09:00, Monday through Friday (Europe/Berlin)'],
    [cron('0 9 */2 * 1'), 'At 09:00, every 2 days in a month, only on Monday (UTC)'],
    [cron('0 9 1 * 1'), 'At 09:00, on day 1 of the month, and on Monday (UTC)'],
  ])('%j', (schedule, words) => {
    expect(scheduleWords(schedule)).toBe(words);
  });
});

import { describe, expect, it } from 'vitest';
import {
  deadlineOf,
  dueAfterPing,
  judgePings,
  NO_PINGS,
  type Ping,
  type Pings,
  pingState,
  withPing,
} from './ping-state';

const MIDNIGHT = Date.UTC(2026, 10, 26);
/** `at('02:30')`, `at('02:30:05')` or `at('26:00')` for two o’clock on the next day. */
const at = (clock: string) => {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return new Date(MIDNIGHT + ((hours * 60 + minutes) * 60 + seconds) * 1_000);
};
const hourly = { periodSeconds: 3_600, graceSeconds: 600 };
const LONG_AGO = at('-24:00');

/** `01:00 ok`, `01:00 start`, `01:00 fail`, `01:00 exit 3`. */
function pinged(...lines: string[]): Pings {
  return lines.map(pingOf).reduce<Pings>(withPing, NO_PINGS);
}

function pingOf(line: string): Ping {
  const [clock = '', word, code] = line.split(' ');
  if (word === 'start') return { kind: 'start', at: at(clock) };
  const exitCode = word === 'ok' ? 0 : code === undefined ? null : Number(code);
  return { kind: 'end', exitCode, at: at(clock) };
}

/** Results stand for all of these pings already, the last one at that time. */
const judged = (pings: Pings, clock: string) => ({
  ...pings,
  ...{ hasNewSuccess: false, hasNewFailure: false, judgedAt: at(clock) },
});

describe('[INC-1.1] the deadline of a heartbeat', () => {
  it.each<[readonly string[], string | null, string]>([
    [[], null, 'before the first ping there is none'],
    [['01:00 ok'], '02:10', 'the period and the grace period after a success'],
    [['01:00 ok', '01:20 ok'], '02:30', 'a ping before its time counts'],
    [['01:00 fail'], '02:10', 'a job that fails still runs'],
    [['01:00 start'], '01:10', 'the grace period after the first start'],
    [['01:00 ok', '01:58 start'], '02:08', 'the grace period after a start'],
    [['01:00 ok', '02:05 start'], '02:10', 'a start that is late doesn’t make the end later'],
    [['01:00 ok', '01:58 start', '02:00 ok'], '03:10', 'the end after a start'],
    [['01:58 start', '02:00 exit 1'], '03:10', 'a failure after a start'],
  ])('after %j is %s: %s', (lines, expected) => {
    expect(deadlineOf(pinged(...lines), hourly)).toEqual(expected && at(expected));
  });

  it('moves by an hour of the day that has none', () => {
    // Clocks go forward at 01:00 UTC on 29 March 2026: periods are of time that passes.
    const before = new Date('2026-03-29T00:30:00Z');
    const daily = { periodSeconds: 86_400, graceSeconds: 0 };
    const pings = withPing(NO_PINGS, { kind: 'end', exitCode: 0, at: before });
    expect(deadlineOf(pings, daily)).toEqual(new Date('2026-03-30T00:30:00Z'));
  });
});

describe('[INC-1.1] what a heartbeat is known as', () => {
  it.each([
    [[], '05:00', 'waiting'],
    [['01:00 ok'], '02:00', 'up'],
    [['01:00 ok'], '02:05', 'late'],
    [['01:00 ok'], '02:10', 'late'],
    [['01:00 ok'], '02:11', 'missed'],
    [['01:00 ok', '01:30 exit 3'], '01:31', 'failed'],
    [['01:00 fail', '01:30 ok'], '01:31', 'up'],
    [['01:00 ok', '01:58 start'], '02:05', 'running'],
    [['01:00 ok', '01:58 start'], '02:09', 'missed'],
  ] as const)('after %j at %s: %s', (lines, now, state) => {
    expect(pingState(pinged(...lines), hourly, at(now))).toBe(state);
  });
});

describe('[INC-1.1] the results of a heartbeat', () => {
  const words = (pings: Parameters<typeof judgePings>[0], now: string, since = LONG_AGO) =>
    judgePings(pings, hourly, since, at(now)).results.map(
      ({ status, at: had }) => `${had.toISOString().slice(11, 16)} ${status}`,
    );

  it.each([
    [[], '05:00', []],
    [['01:00 ok'], '01:00', ['01:00 healthy']],
    [['01:00 exit 3'], '01:00', ['01:00 down']],
    [['01:00 fail', '01:01 ok'], '01:02', ['01:00 down', '01:01 healthy']],
    [['01:00 ok', '01:01 fail'], '01:02', ['01:00 healthy', '01:01 down']],
    // It may crash each time before its end.
    [['01:00 start'], '01:05', ['01:05 unknown']],
    [['01:00 start', '01:05 start', '01:09 start'], '01:11', ['01:10 down']],
    // It arrived before the deadline, and was noticed after it.
    [['01:00 ok'], '02:12', ['01:00 healthy', '02:10 down']],
    // The clock of the host that received it is ahead.
    [['01:10 ok'], '01:00', ['01:00 healthy']],
  ] as const)('after pings %j, first judged at %s, are %j', (lines, now, results) => {
    expect(words({ ...pinged(...lines), judgedAt: null }, now)).toEqual(results);
  });

  it.each<[readonly string[], string, readonly string[], string]>([
    [['01:00 ok'], '01:30', ['01:30 healthy'], 'each minute, as if it was checked'],
    [['01:00 ok'], '02:10', ['02:10 healthy'], 'until the grace period is over'],
    [['01:00 exit 3'], '01:30', ['01:30 down'], 'until the next success'],
    [['01:00 exit 3'], '09:30', ['09:30 down'], 'until the next success, however late'],
  ])('after %j, judged before, are at %s %j: %s', (lines, now, results) => {
    expect(words(judged(pinged(...lines), '01:29'), now)).toEqual(results);
  });

  it('begin at the deadline, however late the worker is, and then go by its clock', () => {
    expect(words(judged(pinged('01:00 ok'), '02:09'), '04:00')).toEqual(['02:10 down']);
    expect(words(judged(pinged('01:00 ok'), '04:00'), '04:01')).toEqual(['04:01 down']);
  });

  it('say which ping is missing', () => {
    const errorAt = (pings: Pings, now: string) =>
      judgePings(judged(pings, '01:00'), hourly, LONG_AGO, at(now)).results[0]?.error;
    expect(errorAt(pinged('01:00 ok'), '02:11')).toBe(
      'No ping since 26 Nov 01:00 UTC. One was due by 26 Nov 02:10 UTC.',
    );
    expect(errorAt(pinged('01:00 ok', '01:30 start'), '01:41')).toBe(
      'The job started at 26 Nov 01:30 UTC and didn’t report its end by 26 Nov 01:40 UTC.',
    );
    expect(errorAt(pinged('01:00 exit 3'), '01:41')).toBe('The job reported exit code 3.');
    expect(errorAt(pinged('01:00 fail'), '01:41')).toBe('The job reported a failure.');
  });

  it.each([
    ['01:40', '02:11', 'down', 'the ping could still arrive in all of its time'],
    ['01:50', '02:11', 'down', 'at the edge'],
    ['01:51', '02:11', 'unknown', 'the ping may have come while nobody answered'],
    ['02:30', '02:31', 'unknown', 'nobody answered at the deadline'],
    ['02:30', '03:20', 'unknown', 'the next ping isn’t due yet'],
    ['02:30', '03:21', 'down', 'the next ping is missing as well'],
    ['03:15', '03:21', 'down', 'another gap excuses no second ping'],
  ])('with the control plane back since %s are at %s %s: %s', (since, now, status) => {
    const { results } = judgePings(judged(pinged('01:00 ok'), '01:30'), hourly, at(since), at(now));
    expect(results.map((result) => result.status)).toEqual([status]);
  });

  it('stay a failure that was seen before the control plane was away', () => {
    const pings = { ...judged(pinged('01:00 ok'), '02:30'), wasMissed: true };
    const { results } = judgePings(pings, hourly, at('02:40'), at('02:41'));
    expect(results.map(({ status }) => status)).toEqual(['down']);
  });

  it('are none for a missed deadline while the control plane doesn’t answer', () => {
    const missed = judgePings(judged(pinged('01:00 ok'), '01:30'), hourly, null, at('02:11'));
    expect(missed).toEqual({ results: [], nextAt: at('02:11:10') });
    const known = judgePings(judged(pinged('01:00 ok'), '01:30'), hourly, null, at('02:09'));
    expect(known.results.map(({ status }) => status)).toEqual(['healthy']);
  });

  it.each([
    ['01:30', '01:31:00.000', 'a minute later'],
    ['02:09:30', '02:10:00.001', 'right after the deadline'],
    ['02:30', '02:31:00.000', 'a minute later while it is missing'],
  ])('are judged again: at %s, %s, %s', (now, next) => {
    const { nextAt } = judgePings(judged(pinged('01:00 ok'), '01:29'), hourly, LONG_AGO, at(now));
    expect(nextAt?.toISOString().slice(11, 23)).toBe(next);
  });
});

describe('[INC-1.1] a ping', () => {
  it.each<[string | null, string | null, string, string]>([
    [null, null, '01:00:00', 'the first one at once'],
    [null, '00:58:00', '01:00:00', 'at once if the last result is old'],
    [null, '00:59:55', '01:00:07', 'later if there has just been a result'],
    ['01:00:02', '00:59:55', '01:00:02', 'not later than without it'],
    ['01:00:50', '00:59:55', '01:00:07', 'earlier than without it'],
  ])('with a result due at %s and the last at %s is judged at %s: %s', (due, last, expected) => {
    const time = (clock: string | null) => (clock === null ? null : at(clock));
    expect(dueAfterPing(time(due), time(last), at('01:00'))).toEqual(at(expected));
  });

  it('tells how long the job took, and keeps it until the next end', () => {
    expect(pinged('01:00 start', '01:02 ok').lastDurationMs).toBe(120_000);
    expect(pinged('01:00 start', '01:02 exit 1').lastDurationMs).toBe(120_000);
    expect(pinged('01:00 start', '01:02 ok', '02:00 start').lastDurationMs).toBe(120_000);
    expect(pinged('01:02 ok').lastDurationMs).toBeNull();
  });

  it('that arrives behind a later one of its kind changes nothing', () => {
    const known = pinged('01:00 start', '01:02 ok', '01:30 fail');
    for (const late of ['00:59 start', '01:01 ok', '01:20 exit 2']) {
      expect(withPing(known, pingOf(late))).toEqual(known);
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { ServiceSpan } from '@/lib/monitoring/service-spans';
import { bucketsOf } from '../analytics/buckets';
import {
  checkedDay,
  checkedSentence,
  checkedUptime,
  hourLatencies,
  timeCells,
} from './checked-history';
import type { ServiceStatus } from './schema';

const NOW = new Date('2026-11-26T12:10:00.000Z');
const DAY_MS = 24 * 3_600_000;
const clock = (at: Date) => at.toISOString().slice(11, 16);

/** Spans until now by the minutes that each began before it, oldest first. */
function until(...starts: [number, ServiceStatus][]): ServiceSpan[] {
  return starts.map(([minutes, status], index) => ({
    from: new Date(NOW.getTime() - minutes * 60_000),
    to: new Date(NOW.getTime() - (starts[index + 1]?.[0] ?? 0) * 60_000),
    status,
  }));
}

describe('[INC-1.1] the last 24 hours', () => {
  it('show an outage that began and ended within one half hour, with its duration', () => {
    const { cells, share, words } = checkedDay(
      until([1_440, 'healthy'], [68, 'down'], [64, 'healthy']),
      NOW,
      clock,
    );
    expect(cells).toHaveLength(48);
    const marked = cells.filter(({ state }) => state !== 'healthy');
    expect(marked.map(({ label, state, words }) => [label, state, words])).toEqual([
      ['From 11:00', 'down', 'down for 4m 00s'],
    ]);
    expect([share, words]).toEqual(['99.72%', 'down for 4m 00s']);
  });

  it('count known time only, and say how much is unknown', () => {
    const { cells, share, words } = checkedDay(
      until([1_440, 'unknown'], [120, 'healthy'], [60, 'down'], [30, 'healthy']),
      NOW,
      clock,
    );
    expect([share, words]).toEqual(['75.00%', 'down for 30m 00s, unknown for 22h 00m']);
    // The first half hour with results began ten minutes before them.
    const first = cells.find(({ state }) => state !== 'unknown');
    expect(first).toMatchObject({
      label: 'From 10:00',
      words: 'healthy when checked, unknown for 10m 00s',
    });
    expect(first?.knownShare).toBeCloseTo(2 / 3);
    expect(
      cells.filter(({ state }) => state === 'unknown').every((cell) => cell.knownShare === 0),
    ).toBe(true);
  });

  it('have no percentage without a result', () => {
    expect(checkedDay(until([1_440, 'unknown']), NOW, clock)).toMatchObject({
      share: null,
      words: 'unknown',
    });
  });
});

const shares: [number, string][] = [
  [0, '100%'],
  [0.01, '99.99%'],
  [1_439.99, '<0.01%'],
  [1_440, '0%'],
];
it.each(shares)('[INC-1.1] %s minutes down of a day are %s up', (minutes, share) => {
  const spans = until([1_440, 'healthy'], [minutes, 'down']).filter(({ from, to }) => from < to);
  expect(checkedUptime(spans, [], NOW)[0]?.share).toBe(share);
});

it('[INC-1.1] uptime of longer spans leaves out what wasn’t known then', () => {
  const spans = until([10 * 1_440, 'healthy'], [5 * 1_440, 'down'], [5 * 1_440 - 60, 'healthy']);
  const latencies = [{ hours: 168, meanMs: 12.4, maxMs: 90 }];
  expect(
    checkedUptime(spans, latencies, NOW).map(({ share, words, maxMs }) => [share, words, maxMs]),
  ).toEqual([
    ['100%', 'healthy throughout', null],
    ['99.40%', 'down for 1h 00m', 90],
    ['99.58%', 'down for 1h 00m', null],
    ['99.58%', 'down for 1h 00m', null],
  ]);
});

it('[INC-1.1] an outage that lasts longer than a column is in each, and counted once', () => {
  const spans = until(
    [180, 'healthy'],
    [100, 'down'],
    [40, 'healthy'],
    [30, 'down'],
    [20, 'healthy'],
  );
  const columns = bucketsOf('24h', NOW, 'UTC').map((bucket) => ({
    ...bucket,
    label: clock(bucket.startAt),
  }));
  const words = timeCells(spans, columns, NOW)
    .slice(-3)
    .map((cell) => `${cell.label} ${cell.words}`);
  expect(words).toEqual([
    '10:00 down for 30m 00s',
    '11:00 down for 40m 00s in 2 outages',
    '12:00 healthy throughout',
  ]);
  const sentence = {
    from: new Date(NOW.getTime() - 180 * 60_000),
    now: NOW,
    rangeWords: 'the last 3 hours',
  };
  expect(checkedSentence('web', spans, sentence)).toBe(
    'In the last 3 hours, web was down for 1h 10m in 2 outages.',
  );
});

it('[INC-1.1] a day on which clocks change has 25 hours, and each is counted', () => {
  const now = new Date('2026-10-26T12:00:00.000Z');
  const columns = bucketsOf('7d', now, 'Europe/Berlin').map((bucket) => ({ ...bucket, label: '' }));
  const from = new Date(now.getTime() - 7 * DAY_MS);
  const cells = timeCells([{ from, to: now, status: 'down' }], columns, now);
  expect(cells.slice(-2).map(({ words }) => words)).toEqual(['down for 1d 1h', 'down for 13h 00m']);
});

it('[INC-1.1] the latency of an hour is the mean of all checks, and a gap where none was timed', () => {
  const hour = new Date('2026-11-26T11:00:00.000Z');
  const rows = [
    { hour, timed: 3, totalMs: 30 },
    { hour, timed: 1, totalMs: 50 },
  ];
  expect(hourLatencies(rows, { hours: 3, now: NOW }).map(({ at, ms }) => [clock(at), ms])).toEqual([
    ['10:00', null],
    ['11:00', 20],
    ['12:00', null],
  ]);
});

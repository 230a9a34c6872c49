import { describe, expect, it } from 'vitest';
import { inOrder, isRepeat, type LastRun } from './runs';

const A = '01930000-0000-7000-8000-00000000000a';
const B = '01930000-0000-7000-8000-00000000000b';
const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 3, minute));

const numbered = (lastRunProcess: string, lastRunNumber: number): LastRun => ({
  ...{ lastRunProcess, lastRunNumber, lastRunAt: at(30) },
});
const byClock: LastRun = { lastRunProcess: null, lastRunNumber: null, lastRunAt: at(30) };
const never: LastRun = { lastRunProcess: null, lastRunNumber: null, lastRunAt: null };

describe('[INC-1.1] a result that was reported before', () => {
  it.each<[string, LastRun, [string, number] | null, number, boolean]>([
    // [what, the last run, process and number, minute of the runner's clock, is it a repeat]
    ['the first one', never, [A, 1], 30, false],
    ['the same run', numbered(A, 7), [A, 7], 31, true],
    ['an earlier run', numbered(A, 7), [A, 6], 31, true],
    ['the next run', numbered(A, 7), [A, 8], 31, false],
    ['the next run, after the clock stepped back', numbered(A, 7), [A, 8], 10, false],
    ['the first run of the next process', numbered(A, 7), [B, 1], 31, false],
    ['a numbered run after one without a number', byClock, [A, 1], 10, false],
    ['no number, the first one', never, null, 30, false],
    ['no number, later', byClock, null, 31, false],
    ['no number, the same time', byClock, null, 30, true],
    ['no number, earlier', byClock, null, 29, true],
    ['no number, after a numbered run, later', numbered(A, 7), null, 31, false],
  ])('%s', (_what, last, run, minute, expected) => {
    const result = {
      ranAt: at(minute).toISOString(),
      ...(run ? { run: { processId: run[0], number: run[1] } } : {}),
    };
    expect(isRepeat(last, result)).toBe(expected);
  });
});

it('[INC-1.1] results are in the order in which they were had', () => {
  const results = [{ agoMs: 0 }, { agoMs: 60_000 }, { agoMs: 30_000 }];
  expect(inOrder(results).map(({ agoMs }) => agoMs)).toEqual([60_000, 30_000, 0]);
});

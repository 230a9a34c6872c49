import { describe, expect, it } from 'vitest';
import {
  decideStep,
  joinProgress,
  type Need,
  nextStep,
  type Progress,
  stepOf,
  stepsToTry,
} from './due-step';
import type { Plan } from './schema';

const channel = { calendarId: null, memberIds: [], channelIds: ['c'] };
const PLAN: Plan = {
  steps: [0, 15, 30].map((afterMinutes) => ({ afterMinutes, ...channel })),
  repeatTimes: 2,
  repeatMinutes: 20,
};
const T0 = new Date('2026-11-26T00:00:00.000Z');
const at = (minutes: number) => new Date(T0.getTime() + minutes * 60_000);
const CALLED: Need = { kind: 'called' };

/** Runs since minute 0, with so many steps sent. */
function progress(lastNumber: number, changes: Partial<Progress> = {}): Progress {
  return { plan: PLAN, lastNumber, elapsedMs: 0, runningSince: T0, ...changes };
}

const minuteOf = (date: Date | null) => date && (date.getTime() - T0.getTime()) / 60_000;

/** `2>3@30`: sends step 3, which was due at minute 30, and skips 2. `-@15`: waits until minute 15. */
function decided(before: Progress, need: Need, isMuted: boolean, now: Date): string {
  const decision = decideStep(before, need, isMuted, now);
  if (decision.kind === 'end') return 'end';
  if (decision.kind === 'wait') return `-@${minuteOf(decision.nextAt) ?? 'never'}`;
  const { skipped, number, dueAt, progress: after } = decision;
  const next = minuteOf(nextStep(after)?.at ?? null) ?? 'never';
  return `${skipped.join(',')}>${number} due ${minuteOf(dueAt)}, next ${next}`;
}

describe('[INC-2.2] the step that is due', () => {
  it.each<[string, Progress, Need, number, string]>([
    ['the first step at once', progress(0), CALLED, 0, '>1 due 0, next 15'],
    ['nothing before the second', progress(1), CALLED, 14.9, '-@15'],
    ['the second', progress(1), CALLED, 15, '>2 due 15, next 30'],
    [
      'a sweep that is late keeps the times of the others',
      progress(1),
      CALLED,
      17,
      '>2 due 15, next 30',
    ],
    ['the last', progress(2), CALLED, 30, '>3 due 30, next 50'],
    ['its first repeat', progress(3), CALLED, 50, '>4 due 50, next 70'],
    ['its last repeat', progress(4), CALLED, 70, '>5 due 70, next never'],
    ['nothing after the last repeat', progress(5), CALLED, 500, '-@never'],
    ['one step after an hour away, not three', progress(0), CALLED, 60, '1,2,3>4 due 50, next 70'],
    ['one step after a day away', progress(1), CALLED, 1440, '2,3,4>5 due 70, next never'],
    ['nothing again if the clock is set back', progress(2), CALLED, -60, '-@-30'],
    ['nothing if it is over', progress(1), { kind: 'over' }, 15, 'end'],
    [
      'nothing while someone works on it',
      progress(1),
      { kind: 'waiting', since: at(10) },
      40,
      '-@never',
    ],
  ])('%s', (_, before, need, now, expected) => {
    expect(decided(before, need, false, at(now))).toBe(expected);
  });

  it('counts the time until it was acknowledged, and no time after that', () => {
    const waiting = decideStep(progress(1), { kind: 'waiting', since: at(10) }, false, at(40));
    expect(waiting).toMatchObject({ progress: { elapsedMs: 600_000, runningSince: null } });
    if (waiting.kind !== 'wait') return;
    // The acknowledgement has ended: the five minutes that are left begin.
    expect(decided(waiting.progress, CALLED, false, at(90))).toBe('-@95');
  });

  it('doesn’t count an acknowledgement that lies ahead of this clock', () => {
    const since = at(60);
    expect(decideStep(progress(1), { kind: 'waiting', since }, false, at(5))).toMatchObject({
      progress: { elapsedMs: 300_000 },
    });
  });

  it('asks a muted incident again after a minute, and then sends the step that was due', () => {
    const muted = decideStep(progress(1), CALLED, true, at(15));
    expect(muted).toMatchObject({ kind: 'wait', nextAt: at(16), progress: { lastNumber: 1 } });
    if (muted.kind !== 'wait') return;
    expect(decided(muted.progress, CALLED, false, at(300))).toBe('>2 due 300, next 315');
  });
});

it.each([
  [0, 1, T0],
  [2, 3, at(30)],
  [4, 5, at(70)],
])('[INC-2.2] after step %i comes %i', (lastNumber, number, next) => {
  expect(nextStep(progress(lastNumber))).toEqual({ number, at: next });
});

it('[INC-2.2] after the last repeat comes nothing, and one that waits has no time', () => {
  expect(nextStep(progress(5))).toBeNull();
  expect(nextStep(progress(1, { runningSince: null }))).toEqual({ number: 2, at: null });
});

it('[INC-2.2] a repeat is the last step again', () => {
  expect([1, 3, 4, 5].map((number) => stepOf(PLAN, number)?.afterMinutes)).toEqual([0, 30, 30, 30]);
});

it.each([
  ['the next ones', 1, [], [1, 2, 3]],
  ['those that it skips, and then the next ones', 2, [1], [2, 1, 3]],
  ['none after the last', 3, [], [3]],
  ['no repeats but its own', 5, [3, 4], [5, 4, 3]],
])('[INC-2.2] if a step reaches nobody, %s are tried', (_, number, skipped, expected) => {
  expect(stepsToTry(PLAN, { number, skipped })).toEqual(expected);
});

it.each<[string, Progress, Progress, Progress]>([
  [
    'as far as the other one was',
    progress(0, { runningSince: at(10) }),
    progress(2),
    progress(2, { elapsedMs: 20 * 60_000, runningSince: at(20) }),
  ],
  [
    'as far as it was itself',
    progress(2),
    progress(0, { runningSince: at(10) }),
    progress(2, { elapsedMs: 20 * 60_000, runningSince: at(20) }),
  ],
  [
    'and waits if it waited',
    progress(1, { elapsedMs: 60_000, runningSince: null }),
    progress(0),
    progress(1, { elapsedMs: 20 * 60_000, runningSince: null }),
  ],
  [
    'as it was if the other one had other steps',
    progress(0, { runningSince: at(10) }),
    progress(2, { plan: { ...PLAN, repeatTimes: 0 } }),
    progress(0, { runningSince: at(10) }),
  ],
])('[INC-2.2] after a merge paging continues %s', (_, own, other, expected) => {
  expect(joinProgress(own, other, at(20))).toEqual(expected);
});

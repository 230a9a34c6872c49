/** Who is on call: pure, from a schedule and a clock. */

import { isWithin, type Span, spansAround } from '../week';
import type { Shift } from './schema';

export interface Schedule {
  timeZone: string;
  shifts: readonly Shift[];
}

/** Who is on call for a while, without a change. Nobody: a gap. */
export interface OnCall {
  shifts: readonly Shift[];
  from: Date;
  /** Null: it doesn't change within a week. */
  until: Date | null;
}

const DAYS_AHEAD = 8;

/** Returns the shifts of this moment, in the order of the schedule; none in a gap. */
export function onCallAt(schedule: Schedule, now: Date): Shift[] {
  return shiftsAt(spansOf(schedule, now, 1), now);
}

/**
 * Returns who is on call now, who is next, and whether nobody is at some moment of the next week. `next` is
 * null if it doesn't change within a week.
 */
export function onCallNow(
  schedule: Schedule,
  now: Date,
): { now: OnCall; next: OnCall | null; hasGaps: boolean } {
  const spans = spansOf(schedule, now, DAYS_AHEAD);
  const hasGaps = isAnyoneMissing(spans, now);
  const current = shiftsAt(spans, now);
  const begun = changesOf(spans)
    .filter((at) => at <= now)
    .findLast((at) => !isSame(shiftsAt(spans, new Date(at.getTime() - 1)), shiftsAt(spans, at)));
  const [until, afterwards] = nextChanges(spans, now, current);
  const nowOnCall = { shifts: current, from: begun ?? now, until: until ?? null };
  if (!until) return { now: nowOnCall, next: null, hasGaps };
  return {
    now: nowOnCall,
    next: { shifts: shiftsAt(spans, until), from: until, until: afterwards ?? null },
    hasGaps,
  };
}

function isAnyoneMissing(spans: readonly ShiftSpan[], now: Date): boolean {
  const end = new Date(now.getTime() + 7 * 86_400_000);
  const moments = [now, ...changesOf(spans).filter((at) => at > now && at < end)];
  return moments.some((at) => shiftsAt(spans, at).length === 0);
}

type ShiftSpan = Span & { shift: Shift };

function spansOf({ timeZone, shifts }: Schedule, now: Date, daysAhead: number): ShiftSpan[] {
  return shifts.flatMap((shift) =>
    spansAround(shift, timeZone, now, daysAhead).map((span) => ({ ...span, shift })),
  );
}

function shiftsAt(spans: readonly ShiftSpan[], at: Date): Shift[] {
  return [...new Set(spans.filter((span) => isWithin(span, at)).map(({ shift }) => shift))];
}

/** Every moment at which somebody begins or ends, in order. */
function changesOf(spans: readonly Span[]): Date[] {
  const times = spans.flatMap(({ startsAt, endsAt }) => [startsAt.getTime(), endsAt.getTime()]);
  return [...new Set(times)].toSorted((one, other) => one - other).map((time) => new Date(time));
}

/** The next two moments at which other people are on call. */
function nextChanges(spans: readonly ShiftSpan[], now: Date, current: readonly Shift[]): Date[] {
  const found: Date[] = [];
  const horizon = now.getTime() + 7 * 86_400_000;
  let before = current;
  for (const at of changesOf(spans)) {
    if (at <= now || at.getTime() > horizon || found.length === 2) continue;
    const after = shiftsAt(spans, at);
    if (!isSame(before, after)) found.push(at);
    before = after;
  }
  return found;
}

function isSame(one: readonly Shift[], other: readonly Shift[]): boolean {
  const [a, b] = [one, other].map((shifts) => JSON.stringify(shifts.map(({ name }) => name)));
  return a === b;
}

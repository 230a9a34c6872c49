/** Which step of a paging policy is due: pure, from what was sent so far and a clock. */

import type { Plan } from './schema';

/** How long a muted incident waits before it is looked at again. */
const MUTED_RETRY_MS = 60_000;

export interface Progress {
  plan: Plan;
  /** The newest step that was sent or skipped; 0: none. */
  lastNumber: number;
  /** How long nobody was working on the incident, up to `runningSince`, in milliseconds. */
  elapsedMs: number;
  /** Null while paging waits. */
  runningSince: Date | null;
}

/**
 * `waiting`: someone has acknowledged or silenced it, or its services are well again; since then. `called`: it is open
 * and somebody is needed.
 */
export type Need = { kind: 'called' } | { kind: 'waiting'; since: Date } | { kind: 'over' };

export type PagingDecision =
  | { kind: 'end' }
  /** Nothing is sent. `nextAt` null: until the incident changes. */
  | { kind: 'wait'; progress: Progress; nextAt: Date | null }
  | {
      kind: 'send';
      number: number;
      /** When it was due. */
      dueAt: Date;
      /** Steps that were due before it and weren't sent: nobody is notified twice at once. */
      skipped: number[];
      progress: Progress;
    };

/**
 * Decides what paging does now. Time counts only while nobody works on the incident, a clock that
 * is set back adds none, and of several steps that are due only the last one is sent.
 *
 * @param isMuted whether the incident is expected, as in a maintenance window; ignored unless a step is due
 */
export function decideStep(
  before: Progress,
  need: Need,
  isMuted: boolean,
  now: Date,
): PagingDecision {
  if (need.kind === 'over') return { kind: 'end' };
  if (need.kind === 'waiting') {
    const end = need.since < now ? need.since : now;
    const progress = { ...before, elapsedMs: elapsedAt(before, end), runningSince: null };
    return { kind: 'wait', progress, nextAt: null };
  }
  const elapsedMs = elapsedAt(before, now);
  const progress = { ...before, elapsedMs, runningSince: now };
  const number = lastDue(before.plan, elapsedMs);
  if (number <= before.lastNumber) {
    return { kind: 'wait', progress, nextAt: nextAt(progress) };
  }
  if (isMuted) {
    const retryAt = new Date(now.getTime() + MUTED_RETRY_MS);
    return { kind: 'wait', progress: { ...progress, runningSince: null }, nextAt: retryAt };
  }
  const skipped = range(before.lastNumber + 1, number - 1);
  const lateMs = elapsedMs - (offsetMs(before.plan, number) ?? 0);
  const dueAt = new Date(now.getTime() - lateMs);
  return { kind: 'send', number, dueAt, skipped, progress: { ...progress, lastNumber: number } };
}

/**
 * Returns the progress of the run that continues after a merge: it is as far as
 * either was, so that nobody is notified again. One with another plan changes nothing.
 */
export function joinProgress(own: Progress, other: Progress, now: Date): Progress {
  if (JSON.stringify(own.plan) !== JSON.stringify(other.plan)) return own;
  return {
    plan: own.plan,
    lastNumber: Math.max(own.lastNumber, other.lastNumber),
    elapsedMs: Math.max(elapsedAt(own, now), elapsedAt(other, now)),
    runningSince: own.runningSince && now,
  };
}

/** Returns the step that is next and when, if nobody takes over; null if none is left or it waits. */
export function nextStep(progress: Progress): { number: number; at: Date | null } | null {
  const number = progress.lastNumber + 1;
  if (offsetMs(progress.plan, number) === null) return null;
  return { number, at: nextAt(progress) };
}

/**
 * Returns the steps to try until one reaches somebody: those that are due, the newest first, then the later
 * ones of the plan. Repeats keep their time, since they notify the same people.
 */
export function stepsToTry(
  { steps }: Pick<Plan, 'steps'>,
  { number, skipped }: { number: number; skipped: readonly number[] },
): number[] {
  return [number, ...skipped.toReversed(), ...range(number + 1, steps.length)];
}

/** Returns the step of the plan that a number stands for: numbers after the last one repeat it. */
export function stepOf({ steps }: Pick<Plan, 'steps'>, number: number) {
  return steps[Math.min(number, steps.length) - 1];
}

function elapsedAt({ elapsedMs, runningSince }: Progress, at: Date): number {
  const running = runningSince ? at.getTime() - runningSince.getTime() : 0;
  return elapsedMs + Math.max(0, running);
}

/** Null for a number that the plan doesn't have. */
function offsetMs({ steps, repeatTimes, repeatMinutes }: Plan, number: number): number | null {
  const step = stepOf({ steps }, number);
  const repeats = Math.max(0, number - steps.length);
  if (!step || number < 1 || repeats > repeatTimes) return null;
  return (step.afterMinutes + repeats * repeatMinutes) * 60_000;
}

function lastDue(plan: Plan, elapsedMs: number): number {
  const last = plan.steps.length + plan.repeatTimes;
  return (
    range(1, last).findLast((number) => (offsetMs(plan, number) ?? Infinity) <= elapsedMs) ?? 0
  );
}

function nextAt({ plan, lastNumber, elapsedMs, runningSince }: Progress): Date | null {
  const offset = offsetMs(plan, lastNumber + 1);
  if (offset === null || !runningSince) return null;
  return new Date(runningSince.getTime() + offset - elapsedMs);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

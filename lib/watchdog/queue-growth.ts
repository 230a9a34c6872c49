/** Whether a queue keeps growing: a peak that is worked off again is no problem. */

export interface QueueSample {
  at: Date;
  /** Work that is due. */
  waiting: number;
}

/** Growth is judged over this time, in three parts. */
export const GROWTH_MS = 15 * 60_000;
const PARTS = 3;
/** Fewer is no backlog, however it got there. */
const MIN_WAITING = 20;
/** Something has been due for this long without being done. */
const STUCK_MS = 5 * 60_000;

/**
 * Returns whether the queue has grown through the whole time: even at its emptiest, each third of it has
 * more waiting than the third before, and the oldest work isn't done.
 *
 * @param samples oldest first, the current one last; older ones than the time are ignored
 * @param oldestMs how long the oldest work has been due, in milliseconds
 */
export function isGrowing(samples: readonly QueueSample[], oldestMs: number): boolean {
  const last = samples.at(-1);
  if (!last || last.waiting < MIN_WAITING || oldestMs < STUCK_MS) return false;
  const start = last.at.getTime() - GROWTH_MS;
  const partMs = GROWTH_MS / PARTS;
  const least: number[] = Array(PARTS).fill(Number.POSITIVE_INFINITY);
  for (const { at, waiting } of samples) {
    const part = Math.min(PARTS - 1, Math.floor((at.getTime() - start) / partMs));
    if (part >= 0) least[part] = Math.min(least[part] ?? waiting, waiting);
  }
  return least.every(
    (waiting, part) => Number.isFinite(waiting) && (part === 0 || waiting > (least[part - 1] ?? 0)),
  );
}

/**
 * Returns whether a queue that has grown is being worked off: little is waiting, nothing has waited for
 * long, or less is waiting than a quarter of an hour ago.
 */
export function isDrained(samples: readonly QueueSample[], oldestMs: number): boolean {
  const last = samples.at(-1);
  if (!last || last.waiting < MIN_WAITING || oldestMs < STUCK_MS) return true;
  const start = last.at.getTime() - GROWTH_MS;
  const first = samples.find(({ at }) => at.getTime() >= start) ?? last;
  return last.waiting < first.waiting;
}

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** A process that lived this long counts as having started well. */
const STEADY_MS = 60_000;

/** How long to wait before starting a process again that has ended by itself. */
export function restartDelayMs(failuresInARow) {
  return Math.min(FIRST_MS * 2 ** Math.max(0, failuresInARow - 1), LONGEST_MS);
}

/** @param {number} failuresBefore @param {number} livedMs */
export function countFailure(failuresBefore, livedMs) {
  return livedMs >= STEADY_MS ? 1 : failuresBefore + 1;
}

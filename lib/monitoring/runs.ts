/** Which results are repeats. Pure. */
import type { PlanResult } from '@/lib/protocol/monitoring';

/** The run of a check that its last result is of. */
export interface LastRun {
  /** Null if its runner didn't number it, or nothing has been reported. */
  lastRunProcess: string | null;
  lastRunNumber: number | null;
  /** By the runner's clock. Null where that says nothing: before the first result, or of another runner. */
  lastRunAt: Date | null;
}

/**
 * Returns whether a result is of the run before or of an earlier one. Numbers of the same process are
 * compared, whatever the host's clock says; where there are none, that clock has to do.
 */
export function isRepeat(
  last: LastRun,
  { run, ranAt }: Pick<PlanResult, 'run' | 'ranAt'>,
): boolean {
  if (!run) return last.lastRunAt !== null && new Date(ranAt) <= last.lastRunAt;
  if (run.processId !== last.lastRunProcess) return false;
  return last.lastRunNumber !== null && run.number <= last.lastRunNumber;
}

/** Returns results in the order in which they were had, by how long ago that was. */
export function inOrder<Result extends Pick<PlanResult, 'agoMs'>>(
  results: readonly Result[],
): Result[] {
  return results.toSorted((one, other) => other.agoMs - one.agoMs);
}

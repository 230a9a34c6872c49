/**
 * Returns the queue of a pool. Queue names are ids, so that nobody can guess or choose another's.
 */
export function poolQueue(poolId: string): string {
  return `pool-${poolId}`;
}

export function runnerQueue(runnerId: string): string {
  return `runner-${runnerId}`;
}

/** Returns the queue that an attempt's wake-up job goes to. */
export function queueOf(attempt: { poolId: string; requiredRunnerId: string | null }): string {
  return attempt.requiredRunnerId
    ? runnerQueue(attempt.requiredRunnerId)
    : poolQueue(attempt.poolId);
}

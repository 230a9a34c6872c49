/** Queue names are ids, so that nobody can guess or choose another one's. */
export function poolQueue(poolId: string): string {
  return `pool-${poolId}`;
}

export function runnerQueue(runnerId: string): string {
  return `runner-${runnerId}`;
}

/** Where an attempt's doorbell hangs. */
export function queueOf(attempt: { poolId: string; requiredRunnerId: string | null }): string {
  return attempt.requiredRunnerId
    ? runnerQueue(attempt.requiredRunnerId)
    : poolQueue(attempt.poolId);
}

export interface BackoffPolicy {
  firstMs: number;
  maxMs: number;
}

/**
 * Delay before try number `attempt` + 1: doubled each time, then drawn from its upper half, so
 * that runners which lost the control plane together do not come back together.
 * `random` is in [0, 1).
 */
export function backoffMs(attempt: number, policy: BackoffPolicy, random: number): number {
  const full = Math.min(policy.maxMs, policy.firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(full / 2 + (full / 2) * random);
}

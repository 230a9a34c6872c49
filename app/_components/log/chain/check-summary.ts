import type { CheckOutcome } from './chain-entries';

type ServiceOutcome = Pick<CheckOutcome, 'service' | 'status' | 'error'>;

const RANK: Record<CheckOutcome['status'], number> = {
  down: 3,
  degraded: 2,
  unknown: 1,
  healthy: 0,
};

/** Returns each service once, with its worst result and why; the worst services first. */
export function outcomeByService(checks: readonly CheckOutcome[]): ServiceOutcome[] {
  const worst = new Map<string, ServiceOutcome>();
  for (const { service, status, error } of checks) {
    const before = worst.get(service);
    if (!before || RANK[status] > RANK[before.status]) {
      worst.set(service, { service, status, error });
    }
  }
  return [...worst.values()].toSorted((one, other) => RANK[other.status] - RANK[one.status]);
}

import type { FixStanding } from './schema';

/** The first chain after a reported fix that says something about the services. */
export interface NextLook {
  number: number;
  outcome: string;
  servicesAffected: readonly string[];
}

/** A fix is a claim until the next cycle finds the same services healthy, or not. */
export function fixStanding(
  servicesAffected: readonly string[],
  next: NextLook | null,
): FixStanding {
  if (!next) return { kind: 'unconfirmed' };
  if (next.outcome === 'healthy') return { kind: 'confirmed', by: next.number };
  const isBack = next.servicesAffected.some((service) => servicesAffected.includes(service));
  if (isBack) return { kind: 'came_back', in: next.number };
  // Trouble elsewhere: that cycle looked at these services too and did not name them.
  return servicesAffected.length > 0 && next.servicesAffected.length > 0
    ? { kind: 'confirmed', by: next.number }
    : { kind: 'unconfirmed' };
}

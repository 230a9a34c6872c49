import type { ServiceFacts, ServiceStatus } from '@/lib/insight/dashboard/schema';

const RANK: Record<ServiceStatus, number> = { down: 0, degraded: 1, unknown: 2, healthy: 3 };

/** Returns the services by worst state, then by the first failure of their outage; equals keep their order. */
export function worstFirst<Service extends Pick<ServiceFacts, 'status' | 'failingSince'>>(
  services: readonly Service[],
): Service[] {
  const since = ({ failingSince }: Service) => failingSince?.getTime() ?? Number.MAX_SAFE_INTEGER;
  return services.toSorted(
    (one, other) => RANK[one.status] - RANK[other.status] || since(one) - since(other),
  );
}

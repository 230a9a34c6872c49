import type { ServiceFacts, ServiceStatus } from '@/lib/insight/dashboard/schema';

const RANK: Record<ServiceStatus, number> = { down: 0, degraded: 1, unknown: 2, healthy: 3 };

/** The services by worst state, then by how long it has lasted; equals keep their order. */
export function worstFirst<Service extends Pick<ServiceFacts, 'status' | 'statusSince'>>(
  services: readonly Service[],
): Service[] {
  const since = ({ statusSince }: Service) => statusSince?.getTime() ?? Number.POSITIVE_INFINITY;
  return services.toSorted(
    (one, other) =>
      RANK[one.status] - RANK[other.status] ||
      (one.status === 'healthy' || since(one) === since(other) ? 0 : since(one) - since(other)),
  );
}

/** Returns how many services are in which state, the worst first: `1 of 3 is down, 2 are healthy.` */
export function servicesSentence(services: readonly Pick<ServiceFacts, 'status'>[]): string {
  if (services.length === 0) return 'This project checks nothing yet.';
  const count = (status: ServiceStatus) =>
    services.filter((service) => service.status === status).length;
  if (count('healthy') === services.length) {
    return services.length === 1
      ? 'The service is healthy.'
      : `All ${services.length} services are healthy.`;
  }
  const parts = (['down', 'degraded', 'unknown', 'healthy'] as const).flatMap((status) => {
    const number = count(status);
    if (number === 0) return [];
    const verb = number === 1 ? 'is' : 'are';
    return [`${number} ${verb} ${status === 'unknown' ? 'not checked yet' : status}`];
  });
  const total = services.length === 1 ? '1 service' : `${services.length} services`;
  return `Of ${total}, ${parts.join(', ')}.`;
}

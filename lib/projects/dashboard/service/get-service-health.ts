import { inTransaction } from '@/lib/db/tenant-db';
import type { TenantScope } from '@/lib/tenancy/scope';
import { listRecentHealth, listServiceRows } from '../data';
import type { ServiceFacts } from '../schema';
import { toServiceFacts } from '../to-facts';

/** The project's services in the order of the configuration, each with its newest cycles. */
export function getServiceHealth(
  scope: TenantScope,
  projectId: string,
  now = new Date(),
): Promise<ServiceFacts[]> {
  return inTransaction(scope, async (db) => {
    const services = await listServiceRows(db, projectId);
    const chains = await listRecentHealth(db, projectId);
    return services.map((service) => toServiceFacts(service, chains, now));
  });
}

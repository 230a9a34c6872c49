import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
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

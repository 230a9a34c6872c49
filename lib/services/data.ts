import type { TenantDb } from '@/lib/db/tenant-db';
import type { CheckResultEvent } from '@/lib/runner-protocol/events';
import type { OrganizationId } from '@/lib/tenancy/scope';
import { worstOf } from './worst';

/** Stores what the runner measured: the service's state now, and the chain's row of its history. */
export async function recordCheckResults(
  db: TenantDb,
  organizationId: OrganizationId,
  at: { projectId: string; chainId: string; now: Date },
  results: readonly CheckResultEvent[],
): Promise<void> {
  const names = [...new Set(results.map((result) => result.service))];
  if (names.length === 0) return;
  const services = await db.service.findMany({
    where: { projectId: at.projectId, name: { in: names }, removedAt: null },
  });
  for (const service of services) {
    const own = results.filter((result) => result.service === service.name);
    const verdict = worstOf(own);
    await db.service.updateMany({
      where: { id: service.id },
      data: {
        status: verdict.status,
        lastError: verdict.error,
        lastCheckedAt: at.now,
        ...(service.status === verdict.status ? {} : { statusSince: at.now }),
      },
    });
    const row = {
      status: verdict.status,
      error: verdict.error,
      responseTimeMs: verdict.responseTimeMs,
      at: at.now,
    };
    await db.serviceHealth.upsert({
      where: {
        organizationId_serviceId_chainId: {
          organizationId,
          serviceId: service.id,
          chainId: at.chainId,
        },
      },
      create: {
        organizationId,
        serviceId: service.id,
        chainId: at.chainId,
        statusBefore: verdict.status,
        ...row,
      },
      update: row,
    });
  }
}

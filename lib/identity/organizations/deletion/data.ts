import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** Live chains first to be told about; null when none runs. */
export function findAnyLiveChain(db: TenantDb) {
  return db.chain.findFirst({
    where: { status: { not: 'ended' } },
    orderBy: { createdAt: 'asc' },
    select: { id: true, number: true, project: { select: { name: true } } },
  });
}

/**
 * Everything but the audit log, which nobody can delete. In this order, since a runner cannot go
 * before its attempts, nor a pool before its runners.
 */
export async function deleteOrganizationRows(
  db: TenantDb,
  organizationId: OrganizationId,
): Promise<void> {
  await db.project.deleteMany();
  await db.webhookEndpoint.deleteMany();
  await db.runner.deleteMany();
  await db.runnerPool.deleteMany();
  await db.modelWindow.deleteMany();
  await db.dailyUsage.deleteMany();
  await db.idempotencyKey.deleteMany();
  await db.organization.delete({ where: { id: organizationId } });
}

export async function countWhatGoes(db: TenantDb) {
  return {
    projects: await db.project.count(),
    chains: await db.chain.count(),
    members: await db.membership.count(),
    runners: await db.runner.count({ where: { revokedAt: null } }),
    tokens: await db.apiToken.count({ where: { revokedAt: null } }),
  };
}

import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** Returns the projects whose checks a runner runs, each with its epoch, in a stable order. */
export function listAssignments(db: TenantDb, runnerId: string) {
  return db.checker.findMany({
    where: { runnerId, isOn: true },
    orderBy: { projectId: 'asc' },
    select: { projectId: true, epoch: true },
  });
}

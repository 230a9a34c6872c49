import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** Newest first. */
export function listVersionRows(db: TenantDb, projectId: string, limit: number) {
  return db.projectVersion.findMany({
    where: { projectId },
    orderBy: { version: 'desc' },
    take: limit,
  });
}

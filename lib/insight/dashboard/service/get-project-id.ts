import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireProject } from '@/lib/projects/service/resolve-project';

/** The UUID behind a slug or a `prj_…`. Throws NotFoundError. */
export function getProjectId(scope: TenantScope, reference: string): Promise<string> {
  return inTransaction(scope, async (db) => (await requireProject(db, reference)).id);
}

import { inTransaction } from '@/lib/db/tenant-db';
import type { TenantScope } from '@/lib/tenancy/scope';
import { requireProject } from '../../service/resolve-project';

/** The UUID behind a slug or a `prj_…`. Throws NotFoundError. */
export function getProjectId(scope: TenantScope, reference: string): Promise<string> {
  return inTransaction(scope, async (db) => (await requireProject(db, reference)).id);
}

import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { decodeId } from '@/lib/platform/ids';
import { getProjectBySlug, getProjectRow } from '../project-rows';

/** The project that an id (`prj_…`) or a slug names. Throws NotFoundError. */
export function requireProject(db: TenantDb, reference: string) {
  // A slug has no underscore, so the two cannot be mixed up.
  const uuid = decodeId('prj', reference);
  return uuid ? getProjectRow(db, uuid) : getProjectBySlug(db, reference);
}

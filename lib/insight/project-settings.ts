import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { listContextShares } from './project-settings-data';

const DAYS = 30;

/**
 * Returns the context use at each escalation of the last 30 days, as shares of the window; null:
 * unknown.
 */
export function getContextShares(
  scope: TenantScope,
  projectId: string,
  now = new Date(),
): Promise<(number | null)[]> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  return inTransaction(scope, (db) => listContextShares(db, projectId, since));
}

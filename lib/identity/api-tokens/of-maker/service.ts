import { mayDo } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { countTokensOfMakers } from './data';

/** Valid tokens that the actor has made; null for those who may not see any. */
export async function countOwnTokens(scope: TenantScope, now = new Date()): Promise<number | null> {
  if (!mayDo(scope.role, 'token.manage')) return null;
  const { label } = scope.actor;
  const counts = await inTransaction(scope, (db) => countTokensOfMakers(db, [label], now));
  return counts.get(label) ?? 0;
}

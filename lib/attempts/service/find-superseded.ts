import { DEFAULT_RESUME_POLICY } from '@/lib/continuity/schema';
import { inTransaction } from '@/lib/db/tenant-db';
import type { TenantScope } from '@/lib/tenancy/scope';
import { listSuperseded } from '../superseded/data';

/**
 * Of the conversations that a runner keeps, those that it need not keep: nothing can continue them
 * any more, now or later.
 */
export function findSuperseded(
  scope: TenantScope,
  { cliSessionIds }: { cliSessionIds: readonly string[] },
  now = new Date(),
): Promise<{ superseded: string[] }> {
  const { pointerTtlSeconds } = DEFAULT_RESUME_POLICY;
  const expiredBefore = new Date(now.getTime() - pointerTtlSeconds * 1_000);
  return inTransaction(scope, async (db) => {
    const of = { runnerId: scope.actor.id, cliSessionIds, expiredBefore };
    return { superseded: await listSuperseded(db, scope.organizationId, of) };
  });
}

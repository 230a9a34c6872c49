import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { DEFAULT_RESUME_POLICY } from './continuation/schema';
import { listSuperseded } from './superseded-data';

/**
 * Returns those of a runner's conversations that it can delete, because nothing can continue them
 * now or later.
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
    return { superseded: await listSuperseded(db, of) };
  });
}

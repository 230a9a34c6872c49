import type { BlockReason } from '@/lib/monitoring/block';
import { findBlock, listBlockedChecks } from '@/lib/monitoring/checker-rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { type CheckSpec, checkSchema } from '@/lib/protocol/spec';

export interface BlockedChecks {
  since: Date;
  reason: BlockReason;
  /** The name of the pool whose runners may run them. */
  pool: string;
  /** The runner that is offline, by its `rnr_…`; null if there is none. */
  runner: { id: string; name: string } | null;
  checks: { service: string; check: CheckSpec }[];
}

/**
 * Returns the checks of a project that no runner can run now; null if one can. `projectId` is a UUID.
 *
 * @param service the name of the only service to look at; null for all
 */
export function getBlockedChecks(
  scope: TenantScope,
  projectId: string,
  service: string | null = null,
): Promise<BlockedChecks | null> {
  return inTransaction(scope, async (db) => {
    const block = await findBlock(db, projectId);
    if (!block) return null;
    const checks = await listBlockedChecks(db, projectId, service);
    if (checks.length === 0) return null;
    const { since, reason, pool, runner } = block;
    return {
      ...{ since, reason, pool },
      runner: runner && { id: encodeId('rnr', runner.id), name: runner.name },
      checks: checks.map((row) => ({
        service: row.service.name,
        check: checkSchema.parse(row.spec),
      })),
    };
  });
}

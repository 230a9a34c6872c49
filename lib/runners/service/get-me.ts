import { poolQueue, runnerQueue } from '@/lib/attempts/data';
import { inTransaction } from '@/lib/db/tenant-db';
import type { MeResponse } from '@/lib/runner-protocol/schema';
import type { TenantScope } from '@/lib/tenancy/scope';
import { getRunnerRow } from '../data';

/** What a restarted runner asks first. */
export function getMe(scope: TenantScope): Promise<MeResponse> {
  return inTransaction(scope, async (db) => {
    const runner = await getRunnerRow(db, scope.actor.id);
    return {
      runnerId: runner.id,
      organizationId: scope.organizationId,
      name: runner.name,
      pool: runner.pool.name,
      queues: [poolQueue(runner.poolId), runnerQueue(runner.id)],
      isDraining: runner.drainingAt !== null || runner.pausedAt !== null,
    };
  });
}

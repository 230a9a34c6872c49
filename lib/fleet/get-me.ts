import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import type { MeResponse } from '@/lib/protocol/schema';
import { poolQueue, runnerQueue } from './queues';
import { getRunnerRow } from './runner-rows';

/** Returns what a runner asks for first after a restart. */
export function getMe(scope: TenantScope): Promise<MeResponse> {
  return inTransaction(scope, async (db) => {
    const runner = await getRunnerRow(db, scope.actor.id);
    return {
      runnerId: runner.id,
      organizationId: scope.organizationId,
      name: runner.name,
      pool: runner.pool.name,
      queues: [poolQueue(runner.poolId), runnerQueue(runner.id)],
      isDraining: [runner.drainingAt, runner.pausedAt, runner.updateStartedAt].some(Boolean),
    };
  });
}

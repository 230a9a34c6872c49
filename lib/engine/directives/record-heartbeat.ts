import { recordPosture } from '@/lib/fleet/record-posture';
import { getRunnerRow } from '@/lib/fleet/runner-rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import {
  type DirectivesResponse,
  type HeartbeatRequest,
  LEASE_SECONDS,
} from '@/lib/protocol/schema';
import { listRunningAttempts } from '../attempt/data';
import { directivesNow } from './directives';

/**
 * Stores what the host offers, and renews the leases of the attempts that it reports as running.
 */
export function recordHeartbeat(
  scope: TenantScope,
  heartbeat: HeartbeatRequest,
  now = new Date(),
): Promise<DirectivesResponse> {
  return inTransaction(scope, async (db) => {
    const runner = await getRunnerRow(db, scope.actor.id);
    await recordPosture(db, scope, runner, heartbeat, now);
    const leaseExpiresAt = new Date(now.getTime() + LEASE_SECONDS * 1_000);
    for (const { attemptId, fence } of heartbeat.running) {
      await db.attempt.updateMany({
        where: { id: attemptId, runnerId: runner.id, fence, status: { not: 'ended' } },
        data: { leaseExpiresAt },
      });
    }
    return directivesNow(runner, await listRunningAttempts(db, runner.id), heartbeat.running);
  });
}

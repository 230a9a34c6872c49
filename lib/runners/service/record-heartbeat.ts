import { toJson } from '@/lib/db/json';
import { inTransaction } from '@/lib/db/tenant-db';
import type { DirectivesResponse, HeartbeatRequest } from '@/lib/runner-protocol/schema';
import { LEASE_SECONDS } from '@/lib/runner-protocol/schema';
import type { TenantScope } from '@/lib/tenancy/scope';
import { getRunnerRow } from '../data';
import { directivesOf } from './wait-for-directives';

/** Keeps what the host offers, and renews the leases of the attempts that it says it runs. */
export function recordHeartbeat(
  scope: TenantScope,
  heartbeat: HeartbeatRequest,
  now = new Date(),
): Promise<DirectivesResponse> {
  return inTransaction(scope, async (db) => {
    const runner = await getRunnerRow(db, scope.actor.id);
    await db.runner.updateMany({
      where: { id: runner.id },
      data: { lastSeenAt: now, posture: toJson(heartbeat.posture), slots: heartbeat.posture.slots },
    });
    const leaseExpiresAt = new Date(now.getTime() + LEASE_SECONDS * 1_000);
    for (const { attemptId, fence } of heartbeat.running) {
      await db.attempt.updateMany({
        where: { id: attemptId, runnerId: runner.id, fence, status: { not: 'ended' } },
        data: { leaseExpiresAt },
      });
    }
    return directivesOf(db, runner, heartbeat.running);
  });
}

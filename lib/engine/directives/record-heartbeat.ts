import { getRunnerRow } from '@/lib/fleet/runner-rows';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import {
  type DirectivesResponse,
  type HeartbeatRequest,
  LEASE_SECONDS,
  postureSchema,
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
    await db.runner.updateMany({
      where: { id: runner.id },
      data: {
        lastSeenAt: now,
        posture: toJson(heartbeat.posture),
        slots: Math.min(heartbeat.posture.slots, runner.slotLimit ?? heartbeat.posture.slots),
        clockSkewMs: heartbeat.at ? skewOf(heartbeat.at, now) : null,
      },
    });
    const leaseExpiresAt = new Date(now.getTime() + LEASE_SECONDS * 1_000);
    for (const { attemptId, fence } of heartbeat.running) {
      await db.attempt.updateMany({
        where: { id: attemptId, runnerId: runner.id, fence, status: { not: 'ended' } },
        data: { leaseExpiresAt },
      });
    }
    await recordAccountChange(db, scope, runner, heartbeat.posture);
    return directivesNow(runner, await listRunningAttempts(db, runner.id), heartbeat.running);
  });
}

/**
 * Records that another account or route now pays for the work. Its conversations aren't resumed.
 */
async function recordAccountChange(
  db: TenantDb,
  scope: TenantScope,
  runner: { id: string; posture: unknown },
  posture: HeartbeatRequest['posture'],
): Promise<void> {
  const before = postureSchema.safeParse(runner.posture).data;
  for (const { name, account } of posture.harnesses) {
    const known = before?.harnesses.find((harness) => harness.name === name)?.account;
    if (!known || !account || known === account) continue;
    await recordAudit(db, scope, {
      action: 'runner.account_changed',
      target: encodeId('rnr', runner.id),
      detail: { agent: name, from: known, to: account },
    });
  }
}

/** Larger differences are stored as this: a day is as wrong as a year, and fits the column. */
const MOST_SKEW_MS = 86_400_000;

function skewOf(at: string, now: Date): number {
  const skew = Date.parse(at) - now.getTime();
  return Math.max(-MOST_SKEW_MS, Math.min(MOST_SKEW_MS, skew));
}

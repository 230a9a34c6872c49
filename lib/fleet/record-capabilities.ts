import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { capabilitiesSchema, type HeartbeatRequest, type MeResponse } from '@/lib/protocol/schema';
import { storeCapabilities } from './data';
import { poolQueue, runnerQueue } from './queues';
import { getRunnerRow } from './runner-rows';

/** Stores what a host reports of itself, and that it was there. */
export async function recordCapabilities(
  db: TenantDb,
  scope: TenantScope,
  runner: { id: string; capabilities: unknown; slotLimit: number | null },
  { capabilities, at }: Pick<HeartbeatRequest, 'capabilities' | 'at'>,
  now: Date,
): Promise<void> {
  await storeCapabilities(db, runner.id, {
    lastSeenAt: now,
    capabilities,
    slots: Math.min(capabilities.slots, runner.slotLimit ?? capabilities.slots),
    clockSkewMs: at ? skewOf(at, now) : null,
  });
  await recordAccountChange(db, scope, runner, capabilities);
}

/**
 * Records that another account or route now pays for the work. Its conversations aren't resumed.
 */
async function recordAccountChange(
  db: TenantDb,
  scope: TenantScope,
  runner: { id: string; capabilities: unknown },
  capabilities: HeartbeatRequest['capabilities'],
): Promise<void> {
  const before = capabilitiesSchema.safeParse(runner.capabilities).data;
  for (const { name, account } of capabilities.harnesses) {
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
const MAX_SKEW_MS = 86_400_000;

function skewOf(at: string, now: Date): number {
  const skew = Date.parse(at) - now.getTime();
  return Math.max(-MAX_SKEW_MS, Math.min(MAX_SKEW_MS, skew));
}

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

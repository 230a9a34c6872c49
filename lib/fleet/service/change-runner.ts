import { type AuditEntry, recordAudit } from '@/lib/identity/audit/record-audit';
import { type Act, requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids/require-id';
import { notifyRunner } from '@/lib/platform/live/notify';
import { countInHand, type RunnerChanges, type RunnerRow, updateRunner } from '../fleet/data';
import type { RunnerDto } from '../fleet/schema';
import { toRunnerDto } from '../fleet/to-dto';
import { getRunnerRow } from '../runner-rows';

export interface RunnerChange {
  changes: RunnerChanges;
  action: AuditEntry['action'];
  /** Beside the runner's name in the audit log. */
  detail?: AuditEntry['detail'];
  /** What else follows, in the same transaction. */
  alongside?: (db: TenantDb) => Promise<void>;
}

/**
 * One change of a runner (`rnr_…`): written, audited, and the runner woken to hear it.
 *
 * @param changeOf null when everything is so already
 * @throws ConflictError for a runner that is revoked
 */
export function changeRunner(
  scope: TenantScope,
  runnerId: string,
  now: Date,
  changeOf: (runner: RunnerRow) => RunnerChange | null,
  act: Act = 'runner.manage',
): Promise<RunnerDto> {
  requireMay(scope, act);
  const id = requireId('rnr', runnerId);
  return inTransaction(scope, async (db) => {
    const runner = await getRunnerRow(db, id);
    const change = changeOf(runner);
    if (change && runner.revokedAt) {
      throw new ConflictError(`${runner.name} is revoked. Enrol the host again.`);
    }
    if (change) {
      await updateRunner(db, id, change.changes);
      await change.alongside?.(db);
      await notifyRunner(db, id);
    }
    const dto = await loadRunnerDto(db, id, now);
    if (change) {
      const { action, detail } = change;
      await recordAudit(db, scope, {
        action,
        target: dto.id,
        detail: { name: dto.name, ...detail },
      });
    }
    return dto;
  });
}

export async function loadRunnerDto(db: TenantDb, id: string, now: Date): Promise<RunnerDto> {
  const row = await getRunnerRow(db, id);
  return toRunnerDto(row, await countInHand(db, [id]), now);
}

import { recordAudit } from '@/lib/identity/audit/record-audit';
import { hashToken, mintToken } from '@/lib/platform/crypto/tokens';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError, UnauthenticatedError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { type NewKeyResponse, postureSchema } from '@/lib/protocol/schema';
import { promoteKey, storeNextKey } from './data';
import { changeRunner } from './manage-runners';
import { getRunnerRow } from './runner-rows';
import type { RunnerDto } from './schema';

/**
 * Requests a key exchange of the host. The old key is valid until the host has stored the new one
 * and confirmed it, so a host that is offline exchanges its key when it is back.
 */
export function rotateKey(
  scope: TenantScope,
  runnerId: string,
  now = new Date(),
): Promise<RunnerDto> {
  return changeRunner(scope, runnerId, now, (runner) => {
    const { keySource } = postureSchema.safeParse(runner.posture).data ?? {};
    if (keySource === 'environment') {
      throw new ConflictError(
        `${runner.name} has its key from TIERWATCH_RUNNER_KEY, which only its host can change. Enrol the host anew and revoke this runner.`,
      );
    }
    return {
      changes: { rotationRequestedAt: now },
      action: 'runner.key_rotation_requested',
    };
  });
}

/**
 * Returns a new key for the runner; it is stored only as a hash. A repeated call replaces it with
 * another one.
 */
export function issueKey(scope: TenantScope): Promise<NewKeyResponse> {
  const key = mintToken('rnk');
  return inTransaction(scope, async (db) => {
    const runner = await getRunnerRow(db, scope.actor.id);
    if (!runner.rotationRequestedAt) {
      throw new ConflictError('Nobody asked for a new key of this runner.');
    }
    await storeNextKey(db, runner.id, hashToken(key));
    return { key };
  });
}

/** Confirms that the runner has stored its new key. The old one is refused from now on. */
export async function confirmKey(
  scope: TenantScope,
  key: string,
  now = new Date(),
): Promise<undefined> {
  const keyHash = hashToken(key);
  await inTransaction(scope, async (db) => {
    const runner = await getRunnerRow(db, scope.actor.id);
    if (runner.keyHash === keyHash) return;
    if (!(await promoteKey(db, runner.id, keyHash, now))) {
      throw new UnauthenticatedError(
        'This key was not handed to this runner, or another after it.',
      );
    }
    await recordAudit(db, scope, {
      action: 'runner.key_rotated',
      target: encodeId('rnr', runner.id),
      detail: { name: runner.name },
    });
  });
}

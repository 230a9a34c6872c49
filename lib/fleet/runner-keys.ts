import { recordAudit } from '@/lib/identity/audit/record-audit';
import { scopeOfEnrolmentToken } from '@/lib/identity/tenancy/make-scope';
import { hashToken, mintToken } from '@/lib/platform/crypto/tokens';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, InvalidError, UnauthenticatedError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import {
  capabilitiesSchema,
  type EnrolRequest,
  type EnrolResponse,
  type NewKeyResponse,
} from '@/lib/protocol/schema';
import { findRunnerByName, insertRunner, promoteKey, storeNextKey } from './data';
import { changeRunner } from './manage-runners';
import { poolQueue, runnerQueue } from './queues';
import { getRunnerRow } from './runner-rows';
import type { RunnerDto } from './schema';

const NAME_IS_SECRET = 'The name looks like a token or key. Choose another with --name <name>.';

/**
 * Creates a runner from a one-time token. Its key is in the answer and is stored only as a hash.
 *
 * @throws InvalidError if the name was redacted, since it's shown on every page
 * @throws UnauthenticatedError if the token was used already
 */
export async function enrolRunner(request: EnrolRequest, now = new Date()): Promise<EnrolResponse> {
  if (request.name.includes('[redacted')) {
    throw new InvalidError(NAME_IS_SECRET, { name: NAME_IS_SECRET });
  }
  const { scope, tokenId } = await scopeOfEnrolmentToken(request.token, now);
  const key = mintToken('rnk');
  return inTransaction(scope, async (db) => {
    const used = await db.enrolmentToken.updateMany({
      where: { id: tokenId, usedAt: null, expiresAt: { gt: now } },
      data: { usedAt: now },
    });
    if (used.count === 0)
      throw new UnauthenticatedError('This enrollment token has already been used.');
    const token = await db.enrolmentToken.findFirstOrThrow({
      where: { id: tokenId },
      include: { pool: true },
    });
    const name = await freeName(db, request);
    const runnerId = await insertRunner(db, {
      poolId: token.poolId,
      name,
      keyHash: hashToken(key),
      allowedTiers: token.allowedTiers,
      slotLimit: token.slotLimit,
    });
    await db.enrolmentToken.updateMany({ where: { id: tokenId }, data: { runnerId } });
    await recordAudit(db, scope, {
      action: 'runner.enrolled',
      target: encodeId('rnr', runnerId),
      detail: { name, pool: token.pool.name, allowedTiers: token.allowedTiers },
    });
    return {
      runnerId: encodeId('rnr', runnerId),
      key,
      name,
      pool: token.pool.name,
      queues: [poolQueue(token.poolId), runnerQueue(runnerId)],
    };
  });
}

const MAX_OF_ONE_NAME = 100;

/** Returns the name; if nobody chose it, with the first free number. */
async function freeName(db: TenantDb, request: EnrolRequest): Promise<string> {
  const { name, isNameSuggested = false } = request;
  if (!(await findRunnerByName(db, name))) return name;
  for (let number = 2; isNameSuggested && number <= MAX_OF_ONE_NAME; number += 1) {
    const numbered = `${name}-${number}`;
    if (!(await findRunnerByName(db, numbered))) return numbered;
  }
  throw new ConflictError(
    `A runner named ${name} is already enrolled. Choose another with --name <name>.`,
  );
}

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
    const { keySource } = capabilitiesSchema.safeParse(runner.capabilities).data ?? {};
    if (keySource === 'environment') {
      throw new ConflictError(
        `${runner.name} has its key from TIERWATCH_RUNNER_KEY, which only its host can change. Enroll the host again and revoke this runner.`,
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
      throw new ConflictError('No key rotation was requested for this runner.');
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
        'This key was not issued to this runner, or a newer one was issued after it.',
      );
    }
    await recordAudit(db, scope, {
      action: 'runner.key_rotated',
      target: encodeId('rnr', runner.id),
      detail: { name: runner.name },
    });
  });
}

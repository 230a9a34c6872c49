import { SecretBoxError } from '@/lib/platform/crypto/secret-box';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { NotFoundError } from '@/lib/platform/errors';
import { logger } from '@/lib/platform/logger';
import { startSpecSchema } from '@/lib/protocol/spec';
import { findOpenable, storeFault } from './data';
import { decrypt, isWhole } from './envelope';
import type { PackedConversation, SealFault } from './schema';
import { type StoredObject, storageOf } from './storage';

/** A network between here and the storage can damage one answer, so it's read once more. */
const READS = 2;
const LIVE = ['claimed', 'running', 'stopping'];

type Openable = NonNullable<Awaited<ReturnType<typeof findOpenable>>>;

/**
 * Opens the conversation that a claimed attempt of this runner is to continue, and no other. What
 * was changed since it was written isn't opened, and isn't offered again.
 *
 * @throws NotFoundError for everything else: another runner's attempt, one that resumes nothing
 * from a seal, and a seal that has expired, is missing or was changed
 * @throws UnavailableError if the storage doesn't answer
 */
export async function openSeal(
  scope: TenantScope,
  attemptId: string,
  now = new Date(),
): Promise<PackedConversation> {
  const seal = await inTransaction(scope, async (db) => {
    const attempt = await db.attempt.findFirst({
      where: { id: attemptId, runnerId: scope.actor.id, status: { in: LIVE } },
      select: { start: true, projectId: true },
    });
    const start = startSpecSchema.safeParse(attempt?.start).data;
    const sealId = start?.continuation.mode === 'resume' ? start.continuation.sealId : null;
    return attempt && sealId ? findOpenable(db, sealId, attempt.projectId, now) : null;
  });
  if (!seal) throw new NotFoundError();
  const object = { ...scope, sealId: seal.id, storedBytes: seal.storedBytes };
  for (let read = 1; ; read += 1) {
    const found = await readOnce(seal, object);
    if (typeof found !== 'string') return found;
    if (read < READS) continue;
    logger.error({ sealId: seal.id, attemptId, fault: found }, 'sealed conversation unusable');
    await inTransaction(scope, (db) => storeFault(db, seal.id, found));
    throw new NotFoundError();
  }
}

async function readOnce(
  seal: Openable,
  object: StoredObject,
): Promise<PackedConversation | SealFault> {
  const { id: sealId, bytes, sha256, key, wrappedKey } = seal;
  const stored = await storageOf(seal.storage).get(object);
  if (stored === null) return 'missing';
  try {
    const packed = decrypt(
      stored,
      { ...seal, sealId },
      {
        ...{ key, wrappedKey },
        secretKey: env().secretKey,
      },
    );
    return (await isWhole({ packed, bytes, sha256 })) ? { packed, bytes, sha256 } : 'damaged';
  } catch (error) {
    if (error instanceof SecretBoxError) return 'damaged';
    throw error;
  }
}

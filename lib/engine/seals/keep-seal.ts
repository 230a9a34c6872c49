import { v7 as uuidv7 } from 'uuid';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError, InvalidError, NotFoundError } from '@/lib/platform/errors';
import { HttpError } from '@/lib/platform/http/problem';
import type { SealRefusal, SealResponse } from '@/lib/protocol/seal';
import { type AttemptRow, lockAttempt } from '../attempt/data';
import {
  deleteOldest,
  deleteSeal,
  ensureKey,
  findComplete,
  insertBegun,
  isErased,
  markComplete,
} from './data';
import {
  encrypt,
  isWhole,
  newOrganizationKey,
  newSealKey,
  type StoredKey,
  storedSize,
} from './envelope';
import type { PackedConversation, SealPlace, SealStorageName } from './schema';
import { currentStorage } from './storage';

const HOUR_MS = 3_600_000;

interface Begun {
  place: SealPlace;
  key: StoredKey;
  wrappedKey: string;
  expiresAt: Date;
}

/**
 * Keeps the conversation that an attempt of this runner has left, encrypted. The object is written
 * under a new id before its row counts, so an upload that was interrupted leaves nothing that is
 * read. A repeat with the same file changes nothing.
 *
 * @throws NotFoundError for an attempt of another runner, and after the conversation was deleted
 * @throws HttpError 413 if the conversation is larger than the installation keeps
 * @throws InvalidError if the body isn't the described file
 * @throws ConflictError if another file is kept for the attempt
 * @throws UnavailableError if the storage doesn't answer
 */
export async function keepSeal(
  scope: TenantScope,
  attemptId: string,
  file: PackedConversation,
  now = new Date(),
): Promise<SealResponse> {
  const { secretKey, seals } = env();
  if (file.bytes > seals.maxBytes) throw tooLarge(seals.maxBytes);
  if (!(await isWhole(file))) {
    throw new InvalidError('The body isn’t the file that its headers describe. Send it again.');
  }
  const storage = currentStorage();
  const { organizationId } = scope;
  const begun = await inTransaction(scope, async (db) => {
    const attempt = await requireOwn(db, scope, attemptId);
    const kept = await findKept(db, attempt, file);
    if (kept) return kept;
    const storedBytes = storedSize(file.packed.length);
    await deleteOldest(db, Math.max(0, seals.organizationBytes - storedBytes));
    return begin(db, attempt, file, storage.name, now);
  });
  if ('keptUntil' in begun) return begun;
  const { place, expiresAt } = begun;
  const content = encrypt(file.packed, place, { ...begun, secretKey });
  await storage.put({ organizationId, sealId: place.sealId, storedBytes: content.length }, content);
  return inTransaction(scope, async (db) => {
    const attempt = await requireOwn(db, scope, attemptId);
    const kept = await findKept(db, attempt, file);
    if (kept) {
      await deleteSeal(db, place.sealId);
      return kept;
    }
    // The row is gone if the project was deleted meanwhile, or its place was needed.
    if ((await markComplete(db, place.sealId, now)) === 0) throw new NotFoundError();
    return { keptUntil: expiresAt.toISOString() };
  });
}

/** Stores why a runner keeps the conversation of one of its attempts to itself. */
export async function refuseSeal(
  scope: TenantScope,
  attemptId: string,
  refusal: SealRefusal,
): Promise<undefined> {
  await inTransaction(scope, async (db) => {
    const attempt = await requireOwn(db, scope, attemptId);
    await db.attempt.updateMany({ where: { id: attempt.id }, data: { sealRefusal: refusal } });
  });
}

/** Returns the attempt, locked against the deletion of its conversation. */
async function requireOwn(
  db: TenantDb,
  { actor }: TenantScope,
  attemptId: string,
): Promise<AttemptRow> {
  const attempt = await lockAttempt(db, attemptId);
  if (!attempt || attempt.runnerId !== actor.id) throw new NotFoundError();
  if (await isErased(db, attempt.sessionId)) throw new NotFoundError();
  return attempt;
}

async function findKept(
  db: TenantDb,
  { id }: AttemptRow,
  { sha256 }: PackedConversation,
): Promise<SealResponse | null> {
  const kept = await findComplete(db, id);
  if (!kept) return null;
  if (kept.sha256 === sha256) return { keptUntil: kept.expiresAt.toISOString() };
  throw new ConflictError('Another file is kept for this attempt. A conversation doesn’t change.');
}

async function begin(
  db: TenantDb,
  { id: attemptId, sessionId, projectId }: AttemptRow,
  { bytes, sha256, packed }: PackedConversation,
  storage: SealStorageName,
  now: Date,
): Promise<Begun> {
  const { secretKey, seals } = env();
  const key = await ensureKey(db, uuidv7(), (id) =>
    newOrganizationKey({ id, organizationId: db.organizationId }, secretKey),
  );
  const of = { organizationId: db.organizationId, projectId, sessionId, attemptId, bytes, sha256 };
  const place = { ...of, sealId: uuidv7(), keyId: key.id };
  const wrappedKey = newSealKey(place, key, secretKey);
  const expiresAt = new Date(now.getTime() + seals.hours * HOUR_MS);
  await insertBegun(db, {
    ...of,
    id: place.sealId,
    keyId: key.id,
    wrappedKey,
    storage,
    storedBytes: storedSize(packed.length),
    createdAt: now,
    expiresAt,
  });
  return { place, key, wrappedKey, expiresAt };
}

function tooLarge(maxBytes: number): HttpError {
  return new HttpError(
    413,
    maxBytes === 0
      ? 'This installation keeps no conversations. TIERWATCH_SEAL_MAX_MB changes that.'
      : `Conversations above ${maxBytes.toLocaleString('en')} bytes aren’t kept. TIERWATCH_SEAL_MAX_MB changes that.`,
  );
}

/**
 * Encryption of seals. Each has a key of its own, which the organization's key encrypts, and that
 * one is encrypted under TIERWATCH_SECRET_KEY. Deleting a seal's row therefore makes its bytes
 * unreadable, wherever they are stored; deleting the organization's key does so for all of them.
 */
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  BOX_OVERHEAD_BYTES,
  deriveKey,
  open,
  openBytes,
  seal,
  sealBytes,
} from '@/lib/platform/crypto/secret-box';
import type { PackedConversation, SealPlace } from './schema';

const KEY_BYTES = 32;

/** An organization's key as it is stored. */
export interface StoredKey {
  id: string;
  organizationId: string;
  wrappedKey: string;
}

/** Returns a new organization key, encrypted. */
export function newOrganizationKey(
  { id, organizationId }: Omit<StoredKey, 'wrappedKey'>,
  secretKey: string,
): string {
  return wrap(randomBytes(KEY_BYTES), installationKey(secretKey), keyContext(id, organizationId));
}

/** Returns the key of a new seal, encrypted with the organization's. */
export function newSealKey(place: SealPlace, key: StoredKey, secretKey: string): string {
  return wrap(randomBytes(KEY_BYTES), organizationKey(key, secretKey), sealContext('key', place));
}

/** Encrypts a compressed conversation. @throws SecretBoxError if a key doesn't belong to the place */
export function encrypt(
  packed: Buffer,
  place: SealPlace,
  { wrappedKey, key, secretKey }: { wrappedKey: string; key: StoredKey; secretKey: string },
): Buffer {
  const own = unwrap(wrappedKey, organizationKey(key, secretKey), sealContext('key', place));
  return sealBytes(packed, own, sealContext('content', place));
}

/**
 * Returns the compressed conversation.
 *
 * @throws SecretBoxError if the bytes, a key or anything of the place was changed
 */
export function decrypt(
  stored: Buffer,
  place: SealPlace,
  { wrappedKey, key, secretKey }: { wrappedKey: string; key: StoredKey; secretKey: string },
): Buffer {
  const own = unwrap(wrappedKey, organizationKey(key, secretKey), sealContext('key', place));
  return openBytes(stored, own, sealContext('content', place));
}

/** Returns how many bytes are stored for so many compressed ones. */
export function storedSize(packedBytes: number): number {
  return packedBytes + BOX_OVERHEAD_BYTES;
}

function installationKey(secretKey: string): Buffer {
  return deriveKey(secretKey, 'seals');
}

function organizationKey({ id, organizationId, wrappedKey }: StoredKey, secretKey: string): Buffer {
  return unwrap(wrappedKey, installationKey(secretKey), keyContext(id, organizationId));
}

function keyContext(id: string, organizationId: string): string {
  return `seal-key:${organizationId}:${id}`;
}

function sealContext(part: 'key' | 'content', place: SealPlace): string {
  const { organizationId, projectId, sessionId, attemptId, sealId, keyId, bytes, sha256 } = place;
  const ids = [organizationId, projectId, sessionId, attemptId, sealId, keyId];
  return ['seal', part, ...ids, bytes, sha256].join(':');
}

function wrap(key: Buffer, under: Buffer, context: string): string {
  return seal(key.toString('base64url'), under, context);
}

function unwrap(wrapped: string, under: Buffer, context: string): Buffer {
  return Buffer.from(open(wrapped, under, context), 'base64url');
}

const unpack = promisify(gunzip);

/**
 * Returns whether compressed bytes hold exactly the described file. What unpacks to more than the
 * described size is given up there, however small it was packed.
 */
export async function isWhole({ packed, bytes, sha256 }: PackedConversation): Promise<boolean> {
  try {
    const file = await unpack(packed, { maxOutputLength: bytes });
    return file.length === bytes && createHash('sha256').update(file).digest('hex') === sha256;
  } catch {
    return false;
  }
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The box was changed, sealed with another key, or sealed for another place. */
export class SecretBoxError extends Error {
  override name = 'SecretBoxError';
}

/**
 * Encrypts a secret for storage: `v1.<nonce>.<tag>.<ciphertext>`, parts in base64url, AES-256-GCM.
 * `context` names the place it is stored in (`webhook:<id>`): a box copied to another row does not open.
 */
export function seal(plain: string, key: Buffer, context: string): string {
  requireKey(key);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(authenticatedData(context));
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const parts = [nonce, cipher.getAuthTag(), ciphertext];
  return [VERSION, ...parts.map((part) => part.toString('base64url'))].join('.');
}

/** Gives back what `seal` took. Throws SecretBoxError, which never carries any of the content. */
export function open(box: string, key: Buffer, context: string): string {
  requireKey(key);
  const [version, nonceText, tagText, ciphertext, ...rest] = box.split('.');
  if (version !== VERSION || !nonceText || !tagText || ciphertext === undefined || rest.length) {
    throw new SecretBoxError('Not a sealed secret of a known version.');
  }
  const nonce = Buffer.from(nonceText, 'base64url');
  const tag = Buffer.from(tagText, 'base64url');
  if (nonce.length !== NONCE_BYTES || tag.length !== TAG_BYTES) {
    throw new SecretBoxError('The sealed secret is damaged.');
  }
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticatedData(context));
    decipher.setAuthTag(tag);
    const plain = [decipher.update(Buffer.from(ciphertext, 'base64url')), decipher.final()];
    return Buffer.concat(plain).toString('utf8');
  } catch {
    throw new SecretBoxError('The sealed secret can’t be decrypted with this key in this context.');
  }
}

const BYTES_VERSION = 1;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** By how much `sealBytes` makes its input longer. */
export const BOX_OVERHEAD_BYTES = HEADER_BYTES;

/** The same for bytes, without an encoding: a version byte, nonce, tag and ciphertext. */
export function sealBytes(plain: Buffer, key: Buffer, context: string): Buffer {
  requireKey(key);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(authenticatedData(context));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(BYTES_VERSION), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Gives back what `sealBytes` took. Throws SecretBoxError, which never carries any of the content. */
export function openBytes(box: Buffer, key: Buffer, context: string): Buffer {
  requireKey(key);
  if (box.length < HEADER_BYTES || box[0] !== BYTES_VERSION) {
    throw new SecretBoxError('Not sealed bytes of a known version.');
  }
  const nonce = box.subarray(1, 1 + NONCE_BYTES);
  const tag = box.subarray(1 + NONCE_BYTES, HEADER_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticatedData(context));
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(box.subarray(HEADER_BYTES)), decipher.final()]);
  } catch {
    throw new SecretBoxError('The sealed bytes can’t be decrypted with this key in this context.');
  }
}

/** The version is part of what is authenticated, so that it cannot be exchanged for another. */
function authenticatedData(context: string): Buffer {
  return Buffer.from(`${VERSION}:${context}`, 'utf8');
}

function requireKey(key: Buffer): void {
  if (key.length !== KEY_BYTES) throw new Error(`A key has ${KEY_BYTES} bytes, not ${key.length}.`);
}

const SHORTEST_SECRET = 32;

/**
 * Derives a 32-byte key for one purpose from the installation's secret (TIERWATCH_SECRET_KEY) by
 * HKDF-SHA256. Keys of different purposes reveal nothing about each other or the secret. Throws
 * when the secret is shorter than 32 characters.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  if (secret.length < SHORTEST_SECRET) {
    throw new Error(
      `The secret key is too short: it needs at least ${SHORTEST_SECRET} characters.`,
    );
  }
  return Buffer.from(hkdfSync('sha256', secret, '', `tierwatch:${purpose}`, KEY_BYTES));
}

import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
const SHORTEST_SECRET = 32;

/**
 * A 32-byte key for one purpose, made from the installation's secret (TIERWATCH_SECRET_KEY) by
 * HKDF-SHA256. Keys of different purposes say nothing about each other or about the secret.
 * Throws when the secret is shorter than 32 characters.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  if (secret.length < SHORTEST_SECRET) {
    throw new Error(`The secret key is too short: ${SHORTEST_SECRET} characters are the least.`);
  }
  return Buffer.from(hkdfSync('sha256', secret, '', `tierwatch:${purpose}`, KEY_BYTES));
}

import { createHmac } from 'node:crypto';
import { deriveKey } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';

/**
 * Returns the proof that the database requires with entries of the audit log: HMAC-SHA256 by a key
 * made from the secret key, so a login to the database alone can't append any.
 *
 * @param subject UUID of the organization, or of the person for entries in all of their logs
 * @param entries the JSON that is appended, byte for byte
 */
export function entryProof(
  kind: 'organization' | 'person',
  subject: string,
  entries: string,
): Buffer {
  const key = deriveKey(env().secretKey, 'audit-entries');
  return createHmac('sha256', key).update(`${kind}\n${subject}\n${entries}`, 'utf8').digest();
}

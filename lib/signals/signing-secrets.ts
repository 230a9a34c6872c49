import { deriveKey, open, seal } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';

/** Encrypts the signing secrets of a source for storage, bound to it: no other row can use them. */
export function sealSigningSecrets(secrets: readonly string[], sourceId: string): string[] {
  return secrets.map((secret) => seal(secret, key(), contextOf(sourceId)));
}

/** @throws SecretBoxError if they were encrypted with another key */
export function openSigningSecrets(sealed: readonly string[], sourceId: string): string[] {
  return sealed.map((box) => open(box, key(), contextOf(sourceId)));
}

function key(): Buffer {
  return deriveKey(env().secretKey, 'alert-sources');
}

function contextOf(sourceId: string): string {
  return `alert-source:${sourceId}`;
}

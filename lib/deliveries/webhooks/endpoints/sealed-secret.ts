import { deriveKey } from '@/lib/platform/crypto/keys';
import { open, seal } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';

/** A signing secret as it is stored; bound to its endpoint, so that no other row can use it. */
export function sealSecret(secret: string, endpointId: string): string {
  return seal(secret, key(), contextOf(endpointId));
}

export function openSecret(sealed: string, endpointId: string): string {
  return open(sealed, key(), contextOf(endpointId));
}

function key(): Buffer {
  return deriveKey(env().secretKey, 'webhooks');
}

function contextOf(endpointId: string): string {
  return `webhook:${endpointId}`;
}

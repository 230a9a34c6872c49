/** The URL that a job pings: its last part is the credential, so it is stored as a hash and encrypted. */
import { deriveKey, open, SecretBoxError, seal } from '@/lib/platform/crypto/secret-box';
import { hashToken, mintToken } from '@/lib/platform/crypto/tokens';
import { env } from '@/lib/platform/env';

export interface PingToken {
  tokenHash: string;
  tokenSealed: string;
}

/** Returns the columns of a new token, bound to its check: no other row can use them. */
export function mintPingToken(checkId: string): PingToken {
  const token = mintToken('hbt');
  return { tokenHash: hashToken(token), tokenSealed: seal(token, key(), contextOf(checkId)) };
}

/** Returns the URL of a heartbeat; null if it was encrypted with another key, after which only rotation helps. */
export function pingUrl(checkId: string, tokenSealed: string): string | null {
  try {
    const token = open(tokenSealed, key(), contextOf(checkId));
    return `${env().publicUrl}/api/heartbeats/${token}`;
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

function key(): Buffer {
  return deriveKey(env().secretKey, 'heartbeats');
}

function contextOf(checkId: string): string {
  return `heartbeat:${checkId}`;
}

import { createHmac } from 'node:crypto';
import { deriveKey } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';

/**
 * Returns the queue of a pool. Queue names can't be guessed, not even by someone who knows the
 * pool's id: whoever reaches the runners' queues can only use the queues that they can name.
 */
export function poolQueue(poolId: string): string {
  return `pool-${secretName(`pool:${poolId}`)}`;
}

export function runnerQueue(runnerId: string): string {
  return `runner-${secretName(`runner:${runnerId}`)}`;
}

/** Returns the queue that an attempt's wake-up job goes to. */
export function queueOf(attempt: { poolId: string; requiredRunnerId: string | null }): string {
  return attempt.requiredRunnerId
    ? runnerQueue(attempt.requiredRunnerId)
    : poolQueue(attempt.poolId);
}

/** 128 bits in hex: short enough for a channel of PostgreSQL, and for many in one notification. */
const NAME_LENGTH = 32;

/** Kept, because a key takes longer to derive than the names of many queues. */
let kept: { secret: string; key: Buffer } | null = null;

function nameKey(): Buffer {
  const secret = env().secretKey;
  if (kept?.secret !== secret) kept = { secret, key: deriveKey(secret, 'queue-names') };
  return kept.key;
}

function secretName(id: string): string {
  return createHmac('sha256', nameKey()).update(id).digest('hex').slice(0, NAME_LENGTH);
}

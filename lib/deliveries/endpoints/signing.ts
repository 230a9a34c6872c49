import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { deriveKey, open, seal } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';

const SECRET_BYTES = 32;
const _SECRET_SHAPE = /^whsec_[A-Za-z0-9+/]+={0,2}$/;

/** How long the previous secret of an endpoint also signs after a rotation, in hours. */
export const ROTATION_OVERLAP_HOURS = 24;

/** Returns a new secret: `whsec_` + base64, the form of symmetric secrets in Standard Webhooks. */
export function mintSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Its last four characters: enough to tell which of two a receiver has, and no help in guessing. */
export function hintOf(secret: string): string {
  return secret.slice(-4);
}

/** Returns when a secret that is replaced at `now` stops signing. */
export function rotationEnd(now: Date): Date {
  return new Date(now.getTime() + ROTATION_OVERLAP_HOURS * 3_600_000);
}

/**
 * Returns the secrets that sign at `now`, newest first. There are two during a rotation, so a
 * receiver can switch at any time in between.
 */
export function activeSecrets(
  secrets: { current: string; previous: string | null; previousUntil: Date | null },
  now: Date,
): [string, ...string[]] {
  const { current, previous, previousUntil } = secrets;
  return previous && previousUntil && now < previousUntil ? [current, previous] : [current];
}

interface SignedHeaders extends Record<string, string> {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * Returns the Standard Webhooks headers of one attempt. `id` is the delivery's and stays the same
 * over retries and replays; `sentAt` is the attempt's. Every secret adds a signature, in order. The
 * bytes sent must be exactly `body` in UTF-8.
 */
export function signWebhook(sending: {
  id: string;
  sentAt: Date;
  body: string;
  secrets: readonly [string, ...string[]];
}): SignedHeaders {
  const { id, sentAt, body, secrets } = sending;
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

/**
 * Encrypts a signing secret for storage. It is bound to its endpoint, so no other row can use it.
 */
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

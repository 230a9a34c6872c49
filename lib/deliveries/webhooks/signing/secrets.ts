import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const SECRET_SHAPE = /^whsec_[A-Za-z0-9+/]+={0,2}$/;

/** How long the old secret of an endpoint still signs after a rotation. */
export const ROTATION_OVERLAP_HOURS = 24;

/** `whsec_` + base64, as Standard Webhooks writes its symmetric secrets. */
export function mintSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Whether a text can be a signing secret: 24 to 64 bytes, as the specification asks. */
export function isSigningSecret(text: string): boolean {
  if (!SECRET_SHAPE.test(text)) return false;
  const { length } = Buffer.from(text.slice('whsec_'.length), 'base64');
  return length >= 24 && length <= 64;
}

/** Its last four characters: enough to tell which of two a receiver has, and no help in guessing. */
export function hintOf(secret: string): string {
  return secret.slice(-4);
}

/** When a secret that is rotated out at `now` stops signing. */
export function rotationEnd(now: Date): Date {
  return new Date(now.getTime() + ROTATION_OVERLAP_HOURS * 3_600_000);
}

/**
 * The secrets that sign at `now`, the newest first. During a rotation there are two, so that a
 * receiver may change over at any moment in between.
 */
export function activeSecrets(
  secrets: { current: string; previous: string | null; previousUntil: Date | null },
  now: Date,
): [string, ...string[]] {
  const { current, previous, previousUntil } = secrets;
  return previous && previousUntil && now < previousUntil ? [current, previous] : [current];
}

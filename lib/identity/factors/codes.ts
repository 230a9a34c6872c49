import { createHmac, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const STEP_SECONDS = 30;
/** RFC 4226 asks for at least 128 bits and recommends 160. */
const SECRET_BYTES = 20;
/** A clock may be this many steps off, and a person may type slowly. */
const WINDOW = 1;

/** Returns a new secret in base32, as authenticator apps take it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** Returns the `otpauth://` address that the QR code holds. */
export function totpUri(secret: string, email: string): string {
  return totpOf(secret, email).toString();
}

/**
 * Returns the time step that a code belongs to: now, the one before or the one after, and later than
 * `lastStep`, so that a code is accepted once. Null for a wrong, old or used code.
 */
export function acceptedStep(
  { secret, lastStep }: { secret: string; lastStep: number | null },
  code: string,
  now: Date,
): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({
    token: code,
    timestamp: now.getTime(),
    window: WINDOW,
  });
  if (delta === null) return null;
  const step = Math.floor(now.getTime() / 1000 / STEP_SECONDS) + delta;
  return lastStep !== null && step <= lastStep ? null : step;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Tierwatch',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}

export const RECOVERY_CODES = 10;
/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 16;
const GROUP = 4;

/** Returns ten new codes of 79 random bits: `k7mp-2xqa-…`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
    return letters.join('').replace(new RegExp(`.{${GROUP}}(?!$)`, 'g'), '$&-');
  });
}

/** Returns a typed code without spaces, hyphens and capitals; null if it can't be a recovery code. */
export function normalizeRecoveryCode(typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, '');
  return code.length === LENGTH && [...code].every((each) => ALPHABET.includes(each)) ? code : null;
}

/** Returns what is stored of a normalized code: bound to its person and to the installation's key. */
export function hashRecoveryCode(code: string, userId: string, key: Buffer): string {
  return createHmac('sha256', key).update(`${userId}:${code}`, 'utf8').digest('hex');
}

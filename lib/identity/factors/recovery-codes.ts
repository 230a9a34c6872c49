import { createHmac, randomInt } from 'node:crypto';

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

import { createHash, randomBytes } from 'node:crypto';

/** API token, runner key, enrolment token, invitation, password reset, alert source, heartbeat. */
export const TOKEN_PREFIXES = ['twk', 'rnk', 'enr', 'inv', 'rst', 'alk', 'hbt'] as const;
type TokenPrefix = (typeof TOKEN_PREFIXES)[number];

const SECRET_BYTES = 32;
const CHECKSUM_BYTES = 4;
const TOKEN_SHAPE = new RegExp(`^(${TOKEN_PREFIXES.join('|')})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$`);

/** `twk_` + 43 base62 characters (256 random bits) + 6 of checksum. Shown once; store its hash. */
export function mintToken(prefix: TokenPrefix): string {
  const secret = encodeBase62(randomBytes(SECRET_BYTES));
  return `${prefix}_${secret}${checksum(prefix, secret)}`;
}

/**
 * Returns the kind of a well-formed token, or null. Allows refusing a mistyped or foreign token
 * without a database query; doesn't check that it is valid.
 */
export function readTokenPrefix(token: string): TokenPrefix | null {
  const [, prefix, secret, sum] = TOKEN_SHAPE.exec(token) ?? [];
  const known = TOKEN_PREFIXES.find((candidate) => candidate === prefix);
  if (!known || !secret || sum !== checksum(known, secret)) return null;
  return known;
}

/**
 * Returns the SHA-256 in hex, which is stored and looked up. A token has 256 random bits, so it
 * needs no salt.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/** Returns how a token or signing secret is shown after the first time: `twk_••••a91c`. */
export function maskToken(token: string): string {
  const separator = token.indexOf('_');
  const prefix = separator > 0 ? token.slice(0, separator + 1) : '';
  const secret = token.slice(prefix.length);
  // Four of fewer than sixteen characters would give too much of the secret away.
  return `${prefix}••••${secret.length >= 16 ? secret.slice(-4) : ''}`;
}

function checksum(prefix: TokenPrefix, secret: string): string {
  const digest = createHash('sha256').update(`${prefix}_${secret}`, 'utf8').digest();
  return encodeBase62(digest.subarray(0, CHECKSUM_BYTES));
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Bytes as one big-endian number in base62, padded to the length that any value of this size fits. */
export function encodeBase62(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.length * 8) / Math.log2(ALPHABET.length));
  let number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = ALPHABET.charAt(Number(number % 62n)) + text;
    number /= 62n;
  }
  return text;
}

import { encodeBase62 } from '@/lib/crypto/base62';

/** What each kind of thing is called at the edges: API, URLs, webhooks, audit log. */
export const ID_PREFIXES = [
  'org',
  'usr',
  'tok',
  'prj',
  'chn',
  'ses',
  'att',
  'evt',
  'rnr',
  'pol',
  'enr',
  'whk',
  'dlv',
  'chk',
  'cnv',
  'dec',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BITS_128 = 1n << 128n;

/** `ses_` + 22 base62 characters for the UUID of a row. Throws when it is no UUID. */
export function toTypedId(prefix: IdPrefix, uuid: string): string {
  if (!UUID.test(uuid)) throw new Error(`No UUID: ${uuid}`);
  return `${prefix}_${encodeBase62(Buffer.from(uuid.replaceAll('-', ''), 'hex'))}`;
}

/** The UUID of a typed id with this prefix, or null for any other text. */
export function fromTypedId(prefix: IdPrefix, id: string): string | null {
  const text = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : '';
  if (!/^[0-9A-Za-z]{22}$/.test(text)) return null;
  let value = 0n;
  for (const character of text) value = value * 62n + BigInt(ALPHABET.indexOf(character));
  if (value >= BITS_128) return null;
  const hex = value.toString(16).padStart(32, '0');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

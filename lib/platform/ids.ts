import { NotFoundError } from './errors';

/** Ids at every edge: a prefix that says what it is, and the UUID as 22 base62 characters. */
export const ID_PREFIXES = [
  'org',
  'prj',
  'chn',
  'ses',
  'att',
  'evt',
  'rnr',
  'whk',
  'dlv',
  'ntc',
  'chk',
  'cnv',
  'trn',
  'qst',
  'tok',
  'mem',
  'ver',
  'pol',
  'inv',
  'usr',
  'enr',
  'dec',
  'apr',
  'cmd',
  'inc',
  'als',
  'ald',
  'alt',
  'esp',
  'cal',
  'hrb',
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];
type TypedId<Prefix extends IdPrefix = IdPrefix> = `${Prefix}_${string}`;

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62n;
const LENGTH = 22;
const MAX_UUID = (1n << 128n) - 1n;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `encodeId('ses', uuid)` is `ses_` and 22 characters. Ids of one kind sort as their UUIDs do. */
export function encodeId<Prefix extends IdPrefix>(prefix: Prefix, uuid: string): TypedId<Prefix> {
  if (!UUID.test(uuid)) throw new TypeError(`Not a UUID: ${uuid}`);
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let index = 0; index < LENGTH; index += 1) {
    text = ALPHABET.charAt(Number(rest % BASE)) + text;
    rest /= BASE;
  }
  return `${prefix}_${text}`;
}

/**
 * Returns the UUID in lowercase; null for another prefix and for anything `encodeId` never writes.
 */
export function decodeId(prefix: IdPrefix, text: string): string | null {
  if (!text.startsWith(`${prefix}_`)) return null;
  const digits = text.slice(prefix.length + 1);
  if (digits.length !== LENGTH) return null;
  let value = 0n;
  for (const digit of digits) {
    const position = ALPHABET.indexOf(digit);
    if (position === -1) return null;
    value = value * BASE + BigInt(position);
  }
  if (value > MAX_UUID) return null;
  const hex = value.toString(16).padStart(32, '0');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

/** Ids are made at most this long before the time that their row says it was created. */
const SLACK_MS = 60_000;

/**
 * Returns a UUID below those of all rows created at `since` or later: ids begin with the
 * milliseconds of their making (version 7), so an index on ids serves a list that is cut by time.
 *
 * It only narrows: rows of the minute before it are above it as well.
 */
export function idSince(since: Date): string {
  const hex = Math.max(0, since.getTime() - SLACK_MS)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Returns the UUID of an external id. Throws NotFoundError for any other text. */
export function requireId(prefix: IdPrefix, text: string): string {
  const uuid = decodeId(prefix, text);
  if (!uuid) throw new NotFoundError();
  return uuid;
}

/** Decides whether a request comes from its source: by bearer token, or by signature. Pure. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, open, seal } from '@/lib/platform/crypto/secret-box';
import { hashToken } from '@/lib/platform/crypto/tokens';
import { env } from '@/lib/platform/env';
import type { Rejection } from './request-schema';
import type { SourceKind } from './source-schema';

/** Signed times may differ from ours by this much, in seconds. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 300;

export const DEFAULT_SIGNATURE_HEADER = 'x-grafana-alerting-signature';
export const DEFAULT_TIMESTAMP_HEADER = 'x-grafana-alerting-timestamp';

/** What of a source decides. Hashes are of `hashToken`. */
export interface Credentials {
  kind: SourceKind;
  tokenHash: string;
  previousTokenHash: string | null;
  previousTokenUntil: Date | null;
  /** With any, every request has to be signed, and the token isn't needed. */
  signingSecrets: readonly string[];
  signatureHeader: string | null;
  timestampHeader: string | null;
}

/** Compared with where a source is unknown, so that the answer takes as long. */
const NOBODY = hashToken('nobody');

/**
 * Returns the token of a request: of `Authorization: Bearer …`, or the password of `Basic …`, which
 * is all that some senders can set.
 */
export function tokenOf(headers: Headers): string | null {
  const [, scheme = '', value = ''] =
    /^(Bearer|Basic) +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic') return null;
  const decoded = Buffer.from(value, 'base64').toString('utf8');
  return decoded.includes(':') ? decoded.slice(decoded.indexOf(':') + 1) : null;
}

/** Whether a token is the source's; for an unknown source, never. */
export function isTokenOf(
  source: Pick<Credentials, 'tokenHash' | 'previousTokenHash' | 'previousTokenUntil'> | null,
  token: string,
  now: Date,
): boolean {
  const given = hashToken(token);
  const isCurrent = isEqual(given, source?.tokenHash ?? NOBODY);
  const { previousTokenHash, previousTokenUntil } = source ?? {};
  const isPrevious = isEqual(given, previousTokenHash ?? NOBODY);
  const isRotated = previousTokenHash != null && previousTokenUntil != null;
  const isInTime = isRotated && now < previousTokenUntil;
  return source !== null && (isCurrent || (isPrevious && isInTime));
}

/**
 * Checks the signature of a body by what the kind of source signs: Grafana and PagerDuty in their
 * own way, any other sender by Standard Webhooks.
 *
 * @returns null if one of the secrets made it; otherwise why not
 */
export function checkSignature(
  source: Credentials,
  headers: Headers,
  body: Uint8Array,
  now: Date,
): Extract<Rejection, 'bad_signature' | 'stale_signature'> | null {
  const signed = signedOf(source, headers, body);
  if (!signed) return 'bad_signature';
  const expected = source.signingSecrets.map((secret) => signed.sign(secret));
  // Every pair is compared, so that the time says nothing about which one is equal.
  const equal = expected.flatMap((one) => signed.given.map((other) => isEqual(one, other)));
  if (!equal.includes(true)) return 'bad_signature';
  if (signed.seconds === null) return null;
  const difference = Math.abs(now.getTime() / 1_000 - signed.seconds);
  return difference > MAX_CLOCK_DIFFERENCE_SECONDS ? 'stale_signature' : null;
}

interface Signed {
  /** Signatures of the request. */
  given: readonly string[];
  /** The signed time, in seconds; null where the sender signs none. */
  seconds: number | null;
  sign(secret: string): string;
}

function signedOf(source: Credentials, headers: Headers, body: Uint8Array): Signed | null {
  if (source.kind === 'pagerduty') return signedByPagerDuty(headers, body);
  if (source.kind === 'grafana') return signedByGrafana(source, headers, body);
  return signedByStandard(headers, body);
}

function signedByPagerDuty(headers: Headers, body: Uint8Array): Signed {
  const given = (headers.get('x-pagerduty-signature') ?? '').split(',').map((part) => part.trim());
  return {
    given: given.filter((part) => part.startsWith('v1=')),
    seconds: null,
    sign: (secret) => `v1=${hmac(secret, 'hex', body)}`,
  };
}

function signedByGrafana(
  { signatureHeader, timestampHeader }: Credentials,
  headers: Headers,
  body: Uint8Array,
): Signed | null {
  const given = headers.get(signatureHeader ?? DEFAULT_SIGNATURE_HEADER);
  const timestamp = headers.get(timestampHeader ?? DEFAULT_TIMESTAMP_HEADER);
  const seconds = secondsOf(timestamp);
  // Without a time, whoever has recorded a request could send it again forever.
  if (given === null || seconds === null) return null;
  return {
    given: [given.trim().toLowerCase()],
    seconds,
    sign: (secret) => hmac(secret, 'hex', `${timestamp}:`, body),
  };
}

const STANDARD_PREFIX = 'whsec_';

function signedByStandard(headers: Headers, body: Uint8Array): Signed | null {
  const id = headers.get('webhook-id');
  const timestamp = headers.get('webhook-timestamp');
  const seconds = secondsOf(timestamp);
  if (!id || seconds === null) return null;
  return {
    given: (headers.get('webhook-signature') ?? '').split(' ').filter((part) => part !== ''),
    seconds,
    sign: (secret) => {
      const key = Buffer.from(secret.replace(STANDARD_PREFIX, ''), 'base64');
      return `v1,${hmac(key, 'base64', `${id}.${timestamp}.`, body)}`;
    },
  };
}

function secondsOf(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

function hmac(
  key: string | Buffer,
  encoding: 'hex' | 'base64',
  ...parts: readonly (string | Uint8Array)[]
): string {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest(encoding);
}

function isEqual(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Encrypts the signing secrets of a source for storage, bound to it: no other row can use them. */
export function sealSigningSecrets(secrets: readonly string[], sourceId: string): string[] {
  return secrets.map((secret) => seal(secret, key(), contextOf(sourceId)));
}

/** @throws SecretBoxError if they were encrypted with another key */
export function openSigningSecrets(sealed: readonly string[], sourceId: string): string[] {
  return sealed.map((box) => open(box, key(), contextOf(sourceId)));
}

function key(): Buffer {
  return deriveKey(env().secretKey, 'alert-sources');
}

function contextOf(sourceId: string): string {
  return `alert-source:${sourceId}`;
}

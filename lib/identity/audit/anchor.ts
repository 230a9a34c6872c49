/**
 * Anchors of audit logs: what the newest entry was at a time, signed with Ed25519. They are kept
 * outside of the database, so whoever owns that can't make a changed log look unchanged.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { deriveKey } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';

const anchorSchema = z.object({
  version: z.literal(1),
  organizationId: z.uuid(),
  /** The newest entry, and its hash in hex, which covers all entries before it. */
  seq: z.number().int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  /** Ed25519, raw, in base64url. */
  publicKey: z.string(),
  /** Over `signedText`, in base64url. */
  signature: z.string(),
});
type Anchor = z.infer<typeof anchorSchema>;

/** PKCS #8 of an Ed25519 key, without its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface SigningKey {
  privateKey: KeyObject;
  /** As in an anchor. */
  publicKey: string;
}

/** @param secretKey the installation's */
export function signingKey(secretKey: string): SigningKey {
  const seed = deriveKey(secretKey, 'audit-checkpoints');
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicKey: x };
}

function signedText({ organizationId, seq, hash, at }: Omit<Anchor, 'signature'>): Buffer {
  return Buffer.from(`tierwatch-audit-checkpoint-1\n${organizationId}\n${seq}\n${hash}\n${at}`);
}

/** @param point the newest entry of the organization's log */
export function signAnchor(
  key: SigningKey,
  point: { organizationId: string; seq: number; hash: string },
  now: Date,
): Anchor {
  const { organizationId, seq, hash } = point;
  const unsigned = {
    version: 1 as const,
    organizationId,
    seq,
    hash,
    at: now.toISOString(),
    publicKey: key.publicKey,
  };
  const signature = sign(null, signedText(unsigned), key.privateKey).toString('base64url');
  return { ...unsigned, signature };
}

/** Returns whether an anchor was signed with this key, for this organization. */
function isSigned(anchor: Anchor, key: SigningKey, organizationId: string): boolean {
  return (
    anchor.organizationId === organizationId &&
    anchor.publicKey === key.publicKey &&
    verify(
      null,
      signedText(anchor),
      createPublicKey(key.privateKey),
      Buffer.from(anchor.signature, 'base64url'),
    )
  );
}

/** How a log compares with its anchors. */
export type Comparison =
  | { state: 'matches'; anchor: Anchor; firstAt: string }
  /**
   * `anchor`: the newest that doesn't match; the log was changed after it was written.
   * `unchangedUpTo`: the newest entry that an anchor still vouches for; 0 if there is none.
   */
  | { state: 'differs'; anchor: Anchor; isMissing: boolean; unchangedUpTo: number }
  | { state: 'unknown'; reason: 'no_anchor' | 'unreadable' | 'damaged' };

const NEWEST_COMPARED = 200;
const OLDER_COMPARED = 800;

/**
 * Returns the anchors to compare: the newest, the first, and some of those between. A file of
 * years holds tens of thousands, and each vouches for all entries before it.
 */
export function thinned(kept: readonly (Anchor | null)[]): readonly (Anchor | null)[] {
  const older = kept.slice(0, -NEWEST_COMPARED);
  const step = Math.max(1, Math.ceil(older.length / OLDER_COMPARED));
  const some = older.filter((anchor, index) => anchor === null || index % step === 0);
  return [...some, ...kept.slice(-NEWEST_COMPARED)];
}

/**
 * Compares a log with its anchors.
 *
 * @param kept oldest first; those with a wrong signature are null
 * @param found hash in hex by sequence number, of the entries that the anchors name
 */
export function compareWithAnchors(
  kept: readonly (Anchor | null)[],
  found: ReadonlyMap<number, string>,
): Comparison {
  const signed = kept.filter((anchor) => anchor !== null);
  const newest = signed.at(-1);
  const [first] = signed;
  if (!newest || !first) {
    return { state: 'unknown', reason: kept.length > 0 ? 'damaged' : 'no_anchor' };
  }
  const fits = ({ seq, hash }: Anchor) => found.get(seq) === hash;
  const differing = signed.findLast((anchor) => !fits(anchor));
  if (differing) {
    return {
      state: 'differs',
      anchor: differing,
      isMissing: !found.has(differing.seq),
      unchangedUpTo: signed.findLast(fits)?.seq ?? 0,
    };
  }
  if (signed.length < kept.length) return { state: 'unknown', reason: 'damaged' };
  return { state: 'matches', anchor: newest, firstAt: first.at };
}

// Where anchors are kept: a file per organization, and a URL that gets a copy of each.

const SEND_TIMEOUT_MS = 5_000;

function fileOf(organizationId: string): string {
  return path.join(env().auditAnchorDir, `${organizationId}.jsonl`);
}

/**
 * Reads the anchors of an organization, oldest first; one that isn't signed with this
 * installation's key, or can't be parsed, is null.
 *
 * @returns null if the file can't be read; an empty list if there is none
 */
export async function readAnchors(
  organizationId: string,
): Promise<readonly (Anchor | null)[] | null> {
  let text: string;
  try {
    text = await readFile(fileOf(organizationId), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    logger.error({ organizationId, error: String(error) }, 'audit anchors can’t be read');
    return null;
  }
  const key = signingKey(env().secretKey);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const anchor = anchorSchema.safeParse(parseJson(line)).data;
      return anchor && isSigned(anchor, key, organizationId) ? anchor : null;
    });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Appends an anchor to the organization's file, then posts it to the URL, if one is set. */
export async function keepAnchor(anchor: Anchor): Promise<void> {
  const file = fileOf(anchor.organizationId);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await appendFile(file, `${JSON.stringify(anchor)}\n`, { mode: 0o600 });
  await post(anchor).catch((error: unknown) =>
    logger.error({ error: String(error) }, 'audit anchor not sent'),
  );
}

async function post(anchor: Anchor): Promise<void> {
  const { auditAnchorUrl } = env();
  if (auditAnchorUrl === null) return;
  const response = await fetch(auditAnchorUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(anchor),
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`The receiver answered ${response.status}.`);
}

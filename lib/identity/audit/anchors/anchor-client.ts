/** Where anchors are kept: a file per organization, and a URL that gets a copy of each. */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import { type Anchor, anchorSchema, isSigned, signingKey } from './anchor';

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

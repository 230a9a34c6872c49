/** Where checkpoints are kept: a file per organization, and a URL that gets a copy of each. */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import { type Checkpoint, checkpointSchema, isSigned, signingKey } from './checkpoint';

const SEND_TIMEOUT_MS = 5_000;

function fileOf(organizationId: string): string {
  return path.join(env().auditCheckpointDir, `${organizationId}.jsonl`);
}

/**
 * Reads the checkpoints of an organization, oldest first; one that isn't signed with this
 * installation's key, or can't be parsed, is null.
 *
 * @returns null if the file can't be read; an empty list if there is none
 */
export async function readCheckpoints(
  organizationId: string,
): Promise<readonly (Checkpoint | null)[] | null> {
  let text: string;
  try {
    text = await readFile(fileOf(organizationId), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    logger.error({ organizationId, error: String(error) }, 'audit checkpoints can’t be read');
    return null;
  }
  const key = signingKey(env().secretKey);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const checkpoint = checkpointSchema.safeParse(parseJson(line)).data;
      return checkpoint && isSigned(checkpoint, key, organizationId) ? checkpoint : null;
    });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Appends a checkpoint to the organization's file, then posts it to the URL, if one is set. */
export async function keepCheckpoint(checkpoint: Checkpoint): Promise<void> {
  const file = fileOf(checkpoint.organizationId);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await appendFile(file, `${JSON.stringify(checkpoint)}\n`, { mode: 0o600 });
  await post(checkpoint).catch((error: unknown) =>
    logger.error({ error: String(error) }, 'audit checkpoint not sent'),
  );
}

async function post(checkpoint: Checkpoint): Promise<void> {
  const { auditCheckpointUrl } = env();
  if (auditCheckpointUrl === null) return;
  const response = await fetch(auditCheckpointUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(checkpoint),
    signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`The receiver answered ${response.status}.`);
}

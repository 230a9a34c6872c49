/** Gets the conversation of another host, and puts it where the agent looks for it. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { KeptConversations } from '@/lib/agents/agent';
import type { AttemptSpec } from '@/lib/protocol/spec';
import type { ControlPlane } from '../control-plane/client';
import { retryUntilDeadline } from '../control-plane/retry-until-deadline';
import { isDiskFull, type StartError, startErrorOf } from '../process/start-error';
import { placeOf } from './kept-files';

const unpack = promisify(gunzip);
/** How long a storage may be away while a start waits for it. */
const OPEN_MS = 30_000;

/**
 * Returns where the copy of a conversation that moves here belongs.
 *
 * @returns null if the attempt continues none of another host, or its agent says no place
 */
export function placeOfCopy(
  { start: { continuation } }: Pick<AttemptSpec, 'start'>,
  paths: { configDir: string; workDir: string },
  conversations: KeptConversations,
): string | null {
  if (continuation.mode !== 'resume' || !continuation.sealId) return null;
  return placeOf(conversations, { ...paths, cliSessionId: continuation.parentCliSessionId });
}

/**
 * Writes the file of a conversation that moves here. Whatever the control plane sends is compared
 * with the size and hash of the start before it gets its name.
 *
 * @param file see `placeOfCopy`
 * @returns null if nothing moves or the file is there, otherwise why the attempt can't start
 */
export async function restoreConversation(
  { attemptId, start: { continuation } }: Pick<AttemptSpec, 'attemptId' | 'start'>,
  file: string | null,
  controlPlane: Pick<ControlPlane, 'openSeal'>,
): Promise<StartError | null> {
  if (continuation.mode !== 'resume' || !continuation.sealId) return null;
  const { transcript } = continuation;
  if (file === null) return unavailable('This agent doesn’t say where it keeps its conversations.');
  if (!transcript) return unavailable('The start doesn’t say which conversation it continues.');
  try {
    if (sha256Of(await existing(file)) === transcript.sha256) return null;
    const open = () => controlPlane.openSeal(attemptId);
    const packed = await retryUntilDeadline(open, { forMs: OPEN_MS });
    const content = await unpack(packed, { maxOutputLength: transcript.bytes });
    if (content.length !== transcript.bytes || sha256Of(content) !== transcript.sha256) {
      return unavailable('What the control plane sent isn’t the conversation that was held.');
    }
    await writeComplete(file, content);
    return null;
  } catch (error) {
    return isDiskFull(error) ? startErrorOf(error, file) : unavailable(String(error));
  }
}

function existing(file: string): Promise<Buffer> {
  return readFile(file).catch(() => Buffer.alloc(0));
}

/** Renamed into place, so that a process finds the complete file or none. */
async function writeComplete(file: string, content: Buffer): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, content, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function unavailable(message: string): StartError {
  return { code: 'seal_unavailable', message };
}

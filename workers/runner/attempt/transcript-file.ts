import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import type { Transcript } from '@/lib/protocol/spec';
import { type ConfigFolder, findKeptFiles } from '../conversations/kept-files';

/** None is that long. A file can say that it is larger than its disk. */
const MAX_BYTES = 500_000_000;

/** Shared: a new one for each file would make V8 collect garbage between two tiers. */
const buffer = Buffer.allocUnsafeSlow(64_000);

/** Whether the CLI has kept a conversation, in a file that isn't empty. */
export function hasTranscript(folder: ConfigFolder, cliSessionId: string): boolean {
  return transcriptFile(folder, cliSessionId) !== null;
}

/**
 * Reads a conversation's file to its end.
 *
 * @returns its size in bytes and SHA-256; null where there is no such file, or it can't be read
 */
export function readTranscript(folder: ConfigFolder, cliSessionId: string): Transcript | null {
  const file = transcriptFile(folder, cliSessionId);
  if (file === null) return null;
  try {
    return digest(file);
  } catch {
    return null;
  }
}

function digest(file: string): Transcript {
  const hash = createHash('sha256');
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  let bytes = 0;
  try {
    for (;;) {
      const count = readSync(descriptor, buffer);
      if (count === 0) return { bytes, sha256: hash.digest('hex') };
      hash.update(buffer.subarray(0, count));
      bytes += count;
    }
  } finally {
    closeSync(descriptor);
  }
}

function transcriptFile(folder: ConfigFolder, cliSessionId: string): string | null {
  const kept = findKeptFiles(folder, [cliSessionId]);
  return kept.map(({ file }) => file).find(isFilled) ?? null;
}

function isFilled(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0 && found.size <= MAX_BYTES;
}

import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Transcript } from '@/lib/protocol/spec';

const READ_BYTES = 1_000_000;

/**
 * The file in which the CLI keeps a conversation, or null. Its folder is named after the work dir
 * by the CLI's own rule, so this looks into every folder of the project's configuration instead of
 * repeating that rule.
 */
function transcriptFile(configDir: string, cliSessionId: string): string | null {
  const projects = path.join(configDir, 'projects');
  const files = folders(projects).map((folder) =>
    path.join(projects, folder, `${cliSessionId}.jsonl`),
  );
  return files.find(isFilled) ?? null;
}

/** Whether the CLI has kept a conversation, in a file that isn't empty. */
export function hasTranscript(configDir: string, cliSessionId: string): boolean {
  return transcriptFile(configDir, cliSessionId) !== null;
}

/**
 * Reads a conversation's file to its end.
 *
 * @returns its size in bytes and SHA-256; null where there is no such file, or it can't be read
 */
export function readTranscript(configDir: string, cliSessionId: string): Transcript | null {
  const file = transcriptFile(configDir, cliSessionId);
  if (file === null) return null;
  try {
    return digest(file);
  } catch {
    return null;
  }
}

function digest(file: string): Transcript {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(READ_BYTES);
  const descriptor = openSync(file, 'r');
  let bytes = 0;
  try {
    for (;;) {
      const count = readSync(descriptor, buffer, 0, READ_BYTES, null);
      if (count === 0) return { bytes, sha256: hash.digest('hex') };
      hash.update(buffer.subarray(0, count));
      bytes += count;
    }
  } finally {
    closeSync(descriptor);
  }
}

function isFilled(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0;
}

function folders(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

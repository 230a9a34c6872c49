/** What binds an approval to one command of this host. */
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ApprovalFile } from '@/lib/protocol/commands';
import { writeWhole } from '../files';

const KEY_BYTES = 32;

/**
 * Returns this host's key for digests, made at its first use. A digest without a key would let others
 * find out secrets among the arguments by trying.
 */
export function digestKey(runnerDir: string): Buffer {
  const file = path.join(runnerDir, 'command-digest-key');
  const kept = readKey(file);
  if (kept !== null) return kept;
  const made = randomBytes(KEY_BYTES);
  writeWhole(file, made, true);
  return made;
}

function readKey(file: string): Buffer | null {
  try {
    const key = readFileSync(file);
    return key.length === KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}

/**
 * Returns the digest of a command, in hex.
 *
 * @param argv as it would be executed, with the paths of the work folder's own files
 * @param cwd the agent's folder
 */
export function commandDigest(
  key: Buffer,
  argv: readonly string[],
  cwd: string,
  files: readonly ApprovalFile[],
): string {
  const contents = files.map(({ path: file, sha256 }) => [file, sha256]);
  return createHmac('sha256', key)
    .update(JSON.stringify([argv, cwd, contents]))
    .digest('hex');
}

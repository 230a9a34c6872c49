import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The runner as one file, which this installation serves at `/runner.mjs`. */
export interface RunnerProgram {
  content: Buffer;
  /** Hex. */
  sha256: string;
}

let known: (RunnerProgram & { stamp: string }) | null = null;

/** Returns the file as it is now; null if it wasn't built. */
export function runnerProgram(): RunnerProgram | null {
  const file = path.join(process.cwd(), 'dist', 'runner-file.mjs');
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return null;
  const stamp = `${found.mtimeMs} ${found.ino} ${found.size}`;
  if (known?.stamp === stamp) return known;
  const content = readFileSync(file);
  known = { stamp, content, sha256: createHash('sha256').update(content).digest('hex') };
  return known;
}

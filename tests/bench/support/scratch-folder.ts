import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A folder for one bench; removed at its end, whatever that is. */
export async function withScratchFolder(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-bench-'));
  // PostgreSQL's own account has to get through.
  chmodSync(dir, 0o755);
  try {
    await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

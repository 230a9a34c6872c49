import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/** Time enough for a person to look at what the control plane did not take. */
const KEPT_DAYS = 30;

/** Removes what was set aside long ago; the folder need not exist. */
export function pruneRefused(refusedDir: string, now = new Date()): void {
  const before = now.getTime() - KEPT_DAYS * 86_400_000;
  for (const name of namesIn(refusedDir)) {
    const folder = path.join(refusedDir, name);
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat && stat.ctimeMs < before) rmSync(folder, { recursive: true, force: true });
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

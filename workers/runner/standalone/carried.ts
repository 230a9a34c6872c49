/** The programs that the single file carries for the agents' side, and puts onto the disk. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Content by path; set by scripts/bootstrap/programs.mjs. */
declare const TIERWATCH_CARRIED: Record<string, string>;

/**
 * Unpacks them into a folder of this version of the runner, and replaces what was changed there.
 *
 * @param dir the runner's folder
 * @param version stands for the runner's file
 * @returns the folder, laid out like a checkout
 */
export function unpackCarried(dir: string, version: string): string {
  const root = path.join(dir, 'program', version.slice(0, 16));
  for (const [name, content] of Object.entries(TIERWATCH_CARRIED)) {
    const file = path.join(root, name);
    if (readText(file) === content) continue;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.part`, content, { mode: 0o600 });
    renameSync(`${file}.part`, file);
  }
  return root;
}

/** Deletes what other versions of the runner have unpacked. */
export function removeOtherVersions(dir: string, root: string): void {
  const all = path.join(dir, 'program');
  for (const name of readdirSync(all)) {
    const folder = path.join(all, name);
    if (folder !== root) rmSync(folder, { recursive: true, force: true });
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** Reads files that may be missing, and writes files that are complete or not there. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Returns the text of a file; empty where it can't be read. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the value of a JSON file; null where it can't be read, or isn't JSON. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readText(file));
  } catch {
    return null;
  }
}

/** Returns the names in a folder; none where it can't be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Renames a file into place, so that a reader after a kill finds the complete file or none.
 *
 * @param flush whether it is on the disk itself by then
 * @throws the system's error, such as ENOSPC
 */
export function writeWhole(file: string, content: string | Uint8Array, flush = false): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600, flush });
  renameSync(`${file}.new`, file);
}

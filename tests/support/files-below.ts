import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Absolute paths of the files below a folder, in which somebody else works: what goes while it is
 * read is left out, where `readdir` with `recursive` would throw.
 */
export function filesBelow(folder: string): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const own = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(own) : [own];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

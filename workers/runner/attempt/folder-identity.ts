import { statSync } from 'node:fs';

/**
 * Identifies one folder: device, inode and, where the file system keeps it, its creation time. A
 * folder that was deleted and created again often gets the previous inode.
 */
export function folderIdentity(dir: string): string {
  const { dev, ino, birthtimeNs } = statSync(dir, { bigint: true });
  const known = birthtimeNs > 0n ? [dev, ino, birthtimeNs] : [dev, ino];
  return known.join(':');
}

/** `expected` may be of a runner that did not look at the time yet. */
export function isFolder(dir: string, expected: string): boolean {
  const found = folderIdentity(dir);
  return found === expected || found.startsWith(`${expected}:`);
}

import { statSync } from 'node:fs';

/**
 * Stands for one folder: device, inode and, where the file system keeps it, the time at which it
 * was made. A folder that was deleted and made anew often gets the inode of the one before.
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

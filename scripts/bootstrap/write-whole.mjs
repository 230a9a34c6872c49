import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Writes a private file (0600) so that there is the old content or the new one, never a part of it:
 * not after a kill, on a full disk or after a power cut.
 *
 * @param {string} file
 * @param {string} content
 * @throws the system's error; nothing has changed then
 */
export function writeWhole(file, content) {
  const staging = `${file}.${process.pid}`;
  try {
    const descriptor = openSync(staging, 'w', 0o600);
    try {
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(staging, file);
  } catch (error) {
    rmSync(staging, { force: true });
    // A failed write, as on a full disk, doesn't name its file.
    error.path ??= file;
    throw error;
  }
}

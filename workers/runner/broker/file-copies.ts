/**
 * Copies of files that a command gets by their path. The agent can change a file of its work folder
 * between the decision about the command and its start, or put a link in its place.
 */
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
} from 'node:fs';
import path from 'node:path';

const MAX_BYTES = 10_000_000;

export class CopyError extends Error {
  override name = 'CopyError';
}

/**
 * Returns the argv with copies in the place of files below `changeable`.
 *
 * @param changeable without symbolic links
 * @param folder for the copies
 * @throws CopyError for something that can't be passed
 */
export function withCopies(
  argv: readonly string[],
  changeable: string,
  folder: string,
): readonly string[] {
  let copies = 0;
  return argv.map((arg) => {
    // `--file=/path`, `-f/path` or the path alone.
    const at = arg.indexOf(`${changeable}/`);
    if (at === -1) return arg;
    copies += 1;
    const file = arg.slice(at);
    const copy = path.join(folder, String(copies), path.basename(file));
    mkdirSync(path.dirname(copy), { recursive: true, mode: 0o700 });
    copyBelow(file, changeable, copy);
    return `${arg.slice(0, at)}${copy}`;
  });
}

function copyBelow(file: string, folder: string, copy: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    throw new CopyError(`${path.basename(file)} can’t be read.`);
  }
  try {
    const opened = `/proc/self/fd/${descriptor}`;
    const stat = fstatSync(descriptor);
    // A folder on the way may have become a link meanwhile: this is the file that was opened.
    if (!readlinkSync(opened).startsWith(`${folder}/`)) {
      throw new CopyError(`${path.basename(file)} leads out of the work folder.`);
    }
    if (!stat.isFile()) {
      throw new CopyError(`${path.basename(file)} isn’t a file, and only files can be passed.`);
    }
    if (stat.size > MAX_BYTES) {
      throw new CopyError(`${path.basename(file)} is larger than ${MAX_BYTES / 1_000_000} MB.`);
    }
    copyFileSync(opened, copy);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Copies of files that a command gets by their path. The agent can change a file of its work folder
 * between the decision about the command and its start, or put a link in its place.
 */
import { createHash } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ApprovalFile } from '@/lib/protocol/commands';
import { realPath } from '../process/find-program';

/** Of all copies for one command. */
const MAX_BYTES = 10_000_000;
const MAX_COPIES = 20;

export class CopyError extends Error {
  override name = 'CopyError';
}

/** What a command gets, instead of what the agent can change. */
export interface PassedFiles {
  /** With copies in the place of files below `changeable`. */
  argv: readonly string[];
  /** The copied files, by their paths below `changeable`. */
  files: readonly ApprovalFile[];
}

/**
 * Copies the files below `changeable` that an argv names.
 *
 * @param changeable without symbolic links
 * @param folder for the copies
 * @throws CopyError for something that can't be passed
 */
export async function withCopies(
  argv: readonly string[],
  changeable: string,
  folder: string,
): Promise<PassedFiles> {
  let copies = 0;
  let bytes = 0;
  const passed: string[] = [];
  const files: ApprovalFile[] = [];
  for (const arg of argv) {
    const at = startOfPath(arg, changeable);
    if (at === null) {
      if (leadsInto(arg, changeable)) throw new CopyError(NOT_PLAIN);
      passed.push(arg);
      continue;
    }
    copies += 1;
    if (copies > MAX_COPIES) throw new CopyError(`A command gets at most ${MAX_COPIES} files.`);
    const file = arg.slice(at);
    const copy = path.join(folder, String(copies), path.basename(file));
    await mkdir(path.dirname(copy), { recursive: true, mode: 0o700 });
    const copied = await copyBelow(file, changeable, copy, MAX_BYTES - bytes);
    bytes += copied.bytes;
    files.push({ path: path.relative(changeable, file), ...copied });
    passed.push(`${arg.slice(0, at)}${copy}`);
  }
  return { argv: passed, files };
}

/** Where `changeable`, or a path below it, begins: the whole argument, or a part of `--file=/path`. */
function startOfPath(arg: string, changeable: string): number | null {
  const at = arg.indexOf(changeable);
  const next = arg[at + changeable.length];
  return at !== -1 && (next === undefined || next === '/') ? at : null;
}

const NOT_PLAIN = 'An argument leads into the work folder by links or `..`. Name the file itself.';

/**
 * Whether a path in an argument leads to `changeable` or below it in another spelling than its own. The
 * program would read there what the agent can still change.
 */
function leadsInto(arg: string, changeable: string): boolean {
  return [...arg.matchAll(/(?:\.{0,2}\/)[^:,=]*/g)].some(([found]) => {
    const file = path.resolve(tmpdir(), 'a', found);
    return [file, realPath(file)].some((each) => `${each}/`.startsWith(`${changeable}/`));
  });
}

/** @returns its size in bytes, and the SHA-256 of what was copied */
async function copyBelow(
  file: string,
  folder: string,
  copy: string,
  maxBytes: number,
): Promise<Pick<ApprovalFile, 'bytes' | 'sha256'>> {
  const name = path.basename(file);
  const opened = await openPlain(file, name);
  try {
    // A folder on the way may have become a link meanwhile: this is the file that was opened.
    const real = await readlink(`/proc/self/fd/${opened.fd}`);
    if (!real.startsWith(`${folder}/`))
      throw new CopyError(`${name} leads out of the work folder.`);
    if (!(await opened.stat()).isFile()) throw new CopyError(notAFile(name));
    let bytes = 0;
    const hash = createHash('sha256');
    const source = opened.createReadStream({ autoClose: false, end: maxBytes });
    source.on('data', (chunk) => {
      bytes += chunk.length;
      hash.update(chunk);
    });
    await pipeline(source, createWriteStream(copy, { mode: 0o600 }));
    if (bytes > maxBytes) {
      const limit = MAX_BYTES / 1_000_000;
      throw new CopyError(`The files of a command may have ${limit} MB together.`);
    }
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await opened.close();
  }
}

/** Looked at before it is opened: opening a device can do something. */
async function openPlain(file: string, name: string): Promise<FileHandle> {
  try {
    if (!(await lstat(file)).isFile()) throw new CopyError(notAFile(name));
    return await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (error instanceof CopyError) throw error;
    throw new CopyError(`${name} can’t be read.`);
  }
}

function notAFile(name: string): string {
  return `${name} isn’t a file, and only files can be passed.`;
}

/**
 * A disk of its own size that really runs full: a tmpfs in a mount namespace, which ends with the
 * process that holds it. Works as root, and for other users where user namespaces are allowed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface SmallDisk {
  /** Where its programs find it. */
  folder: string;
  /** Where this process finds it. */
  outside: string;
  /** The command that runs a program with the disk in place. Its pid is the program's own. */
  command(file: string, args: readonly string[]): [string, string[]];
  fill(): void;
  free(): void;
  close(): Promise<void>;
}

const SETUP = 'mount -t tmpfs -o "$2" none "$1" && echo ready && exec sleep infinity';
const CHUNK = Buffer.alloc(64 * 1_024);

/** @param options of tmpfs: `size=4m` */
export async function mountSmallDisk(options: string): Promise<SmallDisk> {
  const isRoot = process.getuid?.() === 0;
  const folder = mkdtempSync(path.join(tmpdir(), 'tw-disk-'));
  const own = isRoot ? [] : ['--user', '--map-current-user', '--keep-caps'];
  const args = [...own, '--mount', 'sh', '-c', SETUP, 'sh', folder, `mode=755,${options}`];
  const holder = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await untilReady(holder);
  const outside = `/proc/${holder.pid}/root${folder}`;
  const filler = path.join(outside, 'filler');
  return {
    folder,
    outside,
    command(file, programArgs) {
      const enter = isRoot ? [] : ['--user', '--preserve-credentials'];
      const place = ['--target', String(holder.pid), ...enter, '--mount', `--wd=${process.cwd()}`];
      return ['nsenter', [...place, file, ...programArgs]];
    },
    fill: () => fillUp(filler),
    free: () => rmSync(filler, { force: true }),
    async close() {
      const ended = once(holder, 'exit');
      holder.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilReady(holder: ChildProcess): Promise<void> {
  const failed = once(holder, 'exit').then(() => {
    throw new Error(
      'A tmpfs can’t be mounted here: run the tests as root, or allow user namespaces.',
    );
  });
  await Promise.race([once(holder.stdout ?? process.stdin, 'data'), failed]);
}

function fillUp(file: string): void {
  const descriptor = openSync(file, 'a');
  try {
    for (const chunk of [CHUNK, CHUNK.subarray(0, 1)]) {
      while (writeSync(descriptor, chunk) > 0);
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Starts a program in cgroups: a shell joins them and becomes the program. Moved from outside, a process
 * would keep out whatever it had started before. The shell reads nothing of the program's arguments.
 */
import { randomUUID } from 'node:crypto';

const JOIN =
  'while [ "$1" != -- ]; do { echo 0 > "$1/cgroup.procs"; } 2>/dev/null; shift; done; shift; exec "$@"';
/** Of a shell that can't become the program: not executable, not found. */
const FAILED = [126, 127];

export interface JoiningStart {
  file: string;
  args: readonly string[];
  /** Whether the program never started, by how the process ended and what it printed. */
  hasFailed(exitCode: number | null, output: string): boolean;
}

/**
 * @param dirs of the cgroups; with none, the program is started directly
 * @param file absolute path of the program
 */
export function joinCgroups(
  dirs: readonly string[],
  file: string,
  args: readonly string[],
): JoiningStart {
  if (dirs.length === 0) return { file, args, hasFailed: () => false };
  // A shell puts its name before what it says, and no program knows this one.
  const name = `tierwatch-${randomUUID()}`;
  return {
    file: '/bin/sh',
    args: ['-c', JOIN, name, ...dirs, '--', file, ...args],
    hasFailed: (exitCode, output) =>
      exitCode !== null && FAILED.includes(exitCode) && output.includes(`${name}: `),
  };
}

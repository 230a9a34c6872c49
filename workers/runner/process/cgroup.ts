/**
 * A cgroup (version 2) per attempt, where the host lets this user make one: it holds every
 * process of the attempt, whatever they do to their environment, sessions and parents.
 *
 * Below it, the agent has one that can be limited, and each command of the broker one of its own.
 */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readText } from '../files';
import { signalProcess } from './process-table';

/** Processes that are ended together, in whatever account they run. */
export interface Cgroup {
  readonly dir: string;
  /** Also of the cgroups below it. */
  pids(): number[];
  kill(): void;
  /** Leaves it alone while a process is in it. */
  remove(): void;
}

export interface AttemptCgroup extends Cgroup {
  /** All that the agent's process has to join: one for each hierarchy of the host that limits it. */
  readonly agentDirs: readonly string[];
  /** Takes the kernel 10 to 30 ms, so not on the runner's own thread. @throws when it has ended. */
  addAgent(pid: number): Promise<void>;
  /** Makes the one of a command. Null if it can't be made. */
  command(number: number): Cgroup | null;
}

/** What is set in an agent's cgroup, by the name of the file. */
export type AgentSettings = Readonly<Record<string, string>>;

/** Where a runner makes the cgroups of its attempts. */
export interface AttemptPlace {
  dir: string;
  /** Controllers that the agents' cgroups need. */
  controllers: readonly string[];
  settings: AgentSettings;
  /** Of hierarchies of version 1, which hold agents alone. */
  legacy: readonly { dir: string; settings: AgentSettings }[];
}

/** Returns null where it can't be made. */
export function makeAttemptCgroup(place: AttemptPlace, name: string): AttemptCgroup | null {
  const dir = path.join(place.dir, name);
  const agentDir = path.join(dir, 'agent');
  try {
    if (!existsSync(place.dir)) throw new Error('The runner’s cgroup is gone.');
    mkdirSync(dir, { recursive: true });
    enableControllers(dir, place.controllers);
    const agentDirs = [
      limited(agentDir, place.settings),
      ...place.legacy.map((each) => limited(path.join(each.dir, name), each.settings)),
    ];
    return attemptCgroup(dir, agentDirs);
  } catch {
    removeCgroup(dir);
    for (const legacy of place.legacy) removeCgroup(path.join(legacy.dir, name));
    return null;
  }
}

/** @param controllers names; none changes nothing */
export function enableControllers(dir: string, controllers: readonly string[]): void {
  if (controllers.length === 0) return;
  const line = controllers.map((name) => `+${name}`).join(' ');
  writeFileSync(path.join(dir, 'cgroup.subtree_control'), line);
}

/** Makes one without limits. Returns null where it can't be made. */
export function makeCgroup(dir: string): Cgroup | null {
  try {
    mkdirSync(dir, { recursive: true });
    return openCgroup(dir);
  } catch {
    return null;
  }
}

function limited(dir: string, settings: AgentSettings): string {
  mkdirSync(dir, { recursive: true });
  for (const [file, value] of Object.entries(settings)) writeFileSync(path.join(dir, file), value);
  return dir;
}

function attemptCgroup(dir: string, agentDirs: readonly string[]): AttemptCgroup {
  const [, ...legacyDirs] = agentDirs;
  return {
    ...openCgroup(dir),
    agentDirs,
    async addAgent(pid) {
      const joined = agentDirs.map((each) => writeFile(path.join(each, PROCESSES), String(pid)));
      await Promise.all(joined);
    },
    command: (number) => makeCgroup(path.join(dir, `command-${number}`)),
    remove() {
      for (const each of [dir, ...legacyDirs]) removeCgroup(each);
    },
  };
}

const PROCESSES = 'cgroup.procs';

export function openCgroup(dir: string): Cgroup {
  return {
    dir,
    pids: () => pidsBelow(dir),
    kill() {
      try {
        writeFileSync(path.join(dir, 'cgroup.kill'), '1');
      } catch {
        // Kernels before 5.14 have no such file.
        for (const pid of pidsBelow(dir)) signalProcess(pid, 'SIGKILL');
      }
    },
    remove: () => removeCgroup(dir),
  };
}

/** With those below it. One that still holds a process can't be removed and stays. */
export function removeCgroup(dir: string): void {
  for (const below of cgroupsBelow(dir)) removeCgroup(below);
  try {
    rmdirSync(dir);
  } catch {
    // Gone already, or a dying process is still in it; an empty cgroup costs nothing.
  }
}

export function pidsIn(dir: string): number[] {
  const pids = readText(path.join(dir, PROCESSES)).split('\n').map(Number);
  // The kernel prints 0 for one that this process can't see, of another namespace.
  return pids.filter((pid) => pid > 0);
}

function pidsBelow(dir: string): number[] {
  return [...pidsIn(dir), ...cgroupsBelow(dir).flatMap(pidsBelow)];
}

function cgroupsBelow(dir: string): string[] {
  try {
    const entries = readdirSync(dir, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.join(dir, entry.name));
  } catch {
    return [];
  }
}

// Starts a program in cgroups: a shell joins them and becomes the program. Moved from outside, a process
// would keep out whatever it had started before. The shell reads nothing of the program's arguments.

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

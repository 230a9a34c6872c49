/**
 * A cgroup (version 2) per attempt, where the host lets this user make one: it holds every
 * process of the attempt, whatever they do to their environment, sessions and parents.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readProcess } from './process-table';

export interface AttemptCgroup {
  readonly dir: string;
  /** Takes the kernel 10 to 30 ms, so not on the runner's own thread. @throws when it has ended. */
  add(pid: number): Promise<void>;
  pids(): number[];
  kill(): void;
  /** Leaves it alone while a process is in it. */
  remove(): void;
}

/**
 * Makes the folder for this runner's attempts, or null where that does not work.
 *
 * @param runnerDir keeps where it is: a killed runner's can be below another cgroup than this one's
 */
export function makeRunnerCgroup(runnerDir: string): string | null {
  if (process.platform !== 'linux') return null;
  const own = ownCgroup();
  if (own === null) return null;
  const dir = path.join(own, `tierwatch-${process.pid}`);
  const noteFile = path.join(runnerDir, 'cgroup');
  try {
    removeLeftCgroups(own);
    const earlier = readText(noteFile).trim();
    if (OF_RUNNER.test(path.basename(earlier))) removeRunnerCgroup(earlier);
    mkdirSync(dir, { recursive: true });
    if (!canMoveInto(dir)) {
      removeCgroup(dir);
      return null;
    }
    keepNote(noteFile, dir);
    return dir;
  } catch {
    removeCgroup(dir);
    return null;
  }
}

function keepNote(file: string, dir: string): void {
  try {
    writeFileSync(file, dir, { mode: 0o600 });
  } catch {
    // On a full disk, a folder that costs nothing may stay behind.
  }
}

export function makeAttemptCgroup(runnerDir: string, name: string): AttemptCgroup | null {
  const dir = path.join(runnerDir, name);
  try {
    mkdirSync(dir, { recursive: true });
    return openCgroup(dir);
  } catch {
    return null;
  }
}

export function openCgroup(dir: string): AttemptCgroup {
  return {
    dir,
    add: (pid) => writeFile(path.join(dir, 'cgroup.procs'), String(pid)),
    pids: () => pidsIn(dir),
    kill() {
      try {
        writeFileSync(path.join(dir, 'cgroup.kill'), '1');
      } catch {
        // Kernels before 5.14 have no such file; the processes are then killed one by one.
      }
    },
    remove: () => removeCgroup(dir),
  };
}

const OF_RUNNER = /^tierwatch-(\d+)$/;

/** With what is left in it. A cgroup that still holds a process cannot be removed and stays. */
export function removeRunnerCgroup(dir: string): void {
  try {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (entry.isDirectory()) removeCgroup(path.join(dir, entry.name));
    }
  } catch {
    // Gone already.
  }
  removeCgroup(dir);
}

function removeCgroup(dir: string): void {
  try {
    rmdirSync(dir);
  } catch {
    // Gone already, or a dying process is still in it; an empty cgroup costs nothing.
  }
}

/** Of runners that were killed. */
function removeLeftCgroups(own: string): void {
  for (const name of readdirSync(own)) {
    const pid = OF_RUNNER.exec(name)?.[1];
    if (pid !== undefined && readProcess(Number(pid)) === null) {
      removeRunnerCgroup(path.join(own, name));
    }
  }
}

function pidsIn(dir: string): number[] {
  try {
    return readFileSync(path.join(dir, 'cgroup.procs'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function ownCgroup(): string | null {
  const own = /^0::(\/.*)$/m.exec(readText('/proc/self/cgroup'))?.[1];
  const mount = readText('/proc/self/mountinfo')
    .split('\n')
    .find((line) => line.includes(' - cgroup2 '))
    ?.split(' ')[4];
  return own !== undefined && mount !== undefined ? path.join(mount, own) : null;
}

/** Moving needs more rights than making the folder, so one short process is really moved. */
function canMoveInto(dir: string): boolean {
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
  child.on('error', () => {});
  try {
    if (child.pid === undefined) return false;
    writeFileSync(path.join(dir, 'cgroup.procs'), String(child.pid));
    return pidsIn(dir).includes(child.pid);
  } catch {
    return false;
  } finally {
    child.stdin.end();
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

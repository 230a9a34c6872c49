/** The cgroup of a runner, below which its attempts have theirs, and the limits that it can set there. */

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readText } from '../files';
import {
  type AgentSettings,
  type AttemptPlace,
  enableControllers,
  pidsIn,
  removeCgroup,
} from './cgroup';
import {
  cgroup2Mount,
  here,
  isLeft,
  isLive,
  isRunnerCgroup,
  readPlaces,
  runnerCgroupName,
} from './cgroup-places';
import type { AttemptLimits } from './limits';
import { type HostProcess, readProcess } from './process-table';

export interface RunnerCgroup extends AttemptPlace {
  /** What holds for every agent here; null where the host's cgroups can't limit it. */
  limits: AttemptLimits;
  /** With what is left in it. */
  remove(): void;
}

/** The runner is in it alone where controllers demand that. */
const LEAF = 'runner';
/** The highest that there is: many agents have less together. */
const RUNNER_WEIGHT = '10000';

/**
 * Makes the cgroup for this runner's attempts, or null where that doesn't work.
 *
 * @param runnerDir keeps where it is: a killed runner's can be below another cgroup than this one's
 * @param wanted for each agent
 */
export function makeRunnerCgroup(runnerDir: string, wanted: AttemptLimits): RunnerCgroup | null {
  if (process.platform !== 'linux') return null;
  const places = readPlaces();
  const base = places.own === null ? null : withoutLeaf(places.own);
  if (base === null) return null;
  const dir = path.join(base, runnerCgroupName(process.pid, here()));
  const noteFile = path.join(runnerDir, 'cgroup');
  try {
    removeLeftCgroups(base);
    for (const earlier of readText(noteFile).split('\n')) {
      const name = path.basename(earlier);
      if (isRunnerCgroup(name) && !isLive(name, here())) removeCgroup(earlier);
    }
    mkdirSync(dir, { recursive: true });
    if (!canMoveInto(dir)) {
      removeCgroup(dir);
      return null;
    }
    const controllers = controllersFor(base, dir, places.own ?? base);
    const legacy = makeLegacy(places.legacy, controllers, wanted);
    keepNote(noteFile, [dir, ...legacy.map((each) => each.dir)]);
    const limitsProcesses = [...controllers, ...legacy.map(({ controller }) => controller)];
    return {
      dir,
      controllers,
      settings: settingsOf(controllers, wanted),
      legacy,
      limits: {
        processes: limitsProcesses.includes('pids') ? wanted.processes : null,
        memoryMb: controllers.includes('memory') ? wanted.memoryMb : null,
      },
      remove() {
        for (const each of [dir, ...legacy.map((one) => one.dir)]) removeCgroup(each);
      },
    };
  } catch {
    removeCgroup(dir);
    return null;
  }
}

function settingsOf(controllers: readonly string[], wanted: AttemptLimits): AgentSettings {
  const { processes, memoryMb } = wanted;
  const isMemoryLimited = memoryMb !== null && controllers.includes('memory');
  return {
    ...(processes !== null && controllers.includes('pids')
      ? { 'pids.max': String(processes) }
      : {}),
    ...(isMemoryLimited ? { 'memory.max': String(memoryMb * 1024 * 1024) } : {}),
  };
}

/**
 * Enables what limits agents, as far as the cgroup was given to this account. Its processes then have
 * to be in a cgroup below: the kernel enables no controller beside processes.
 *
 * @returns the controllers that work below `dir`
 */
function controllersFor(base: string, dir: string, own: string): string[] {
  const offered = words(path.join(base, 'cgroup.controllers'));
  const useful = ['pids', 'memory', 'cpu'].filter((name) => offered.includes(name));
  try {
    const enabled = words(path.join(base, 'cgroup.subtree_control'));
    if (!useful.every((name) => enabled.includes(name))) {
      if (!isGivenToUs(base)) return [];
      if (!isRoot(base)) moveAll(base, path.join(dir, LEAF));
      enableControllers(base, useful);
    }
    enableControllers(dir, useful);
    // An updated runner is still in the one of the runner before it, beside which its agents are now.
    const leaf = own === base ? path.join(dir, LEAF) : path.dirname(own);
    if (useful.includes('cpu') && existsSync(leaf)) {
      writeFileSync(path.join(leaf, 'cpu.weight'), RUNNER_WEIGHT);
    }
    return useful;
  } catch {
    return [];
  }
}

/**
 * systemd gives a service's cgroup to the account of the service. One that also holds other programs of
 * that person stays as it is. Of root's, nothing says whether somebody else manages them, except for the
 * topmost of a container or of a host without systemd.
 */
function isGivenToUs(base: string): boolean {
  const uid = process.getuid?.() ?? 0;
  if (uid === 0) return base === cgroup2Mount();
  const isOwn = base.endsWith('.service') && statSync(base).uid === uid;
  return isOwn && isFamily(pidsIn(base), process.pid, readProcess);
}

/** Whether all processes are this one, those that it started, and those that it was started by. */
export function isFamily(
  pids: readonly number[],
  self: number,
  read: (pid: number) => Pick<HostProcess, 'parentPid'> | null,
): boolean {
  const line = (pid: number): number[] => {
    const found = pid > 0 ? read(pid) : null;
    return found ? [pid, ...line(found.parentPid)] : [];
  };
  const ancestors = line(self);
  // One that has ended meanwhile has no line.
  return pids.every((pid) => {
    const own = line(pid);
    return own.length === 0 || ancestors.includes(pid) || own.includes(self);
  });
}

/** The host's topmost, which may have processes beside controllers. */
function isRoot(dir: string): boolean {
  return !existsSync(path.join(dir, 'cgroup.type'));
}

function moveAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  // Again for those that were started in the meantime.
  for (let left = pidsIn(from), rounds = 0; left.length > 0 && rounds < 10; rounds += 1) {
    for (const pid of left) {
      move(pid, to);
    }
    left = pidsIn(from);
  }
}

/** One that ends meanwhile can't be moved. @throws if it is there and can't be moved */
function move(pid: number, to: string): void {
  try {
    writeFileSync(path.join(to, 'cgroup.procs'), String(pid));
  } catch (error) {
    if (readProcess(pid) !== null) throw error;
  }
}

interface Legacy {
  controller: string;
  dir: string;
  settings: AgentSettings;
}

/** Those of version 1, on hosts where the controllers are still there. */
function makeLegacy(
  found: ReturnType<typeof readPlaces>['legacy'],
  controllers: readonly string[],
  { processes }: AttemptLimits,
): Legacy[] {
  return found.flatMap(({ controller, own }) => {
    if (controllers.includes(controller)) return [];
    // In a group of their own, all agents together have as much of the processors as one process.
    const isPids = controller === 'pids';
    if (isPids && processes === null) return [];
    const settings: AgentSettings = isPids ? { 'pids.max': String(processes) } : {};
    const dir = path.join(own, runnerCgroupName(process.pid, here()));
    try {
      removeLeftCgroups(own);
      mkdirSync(dir, { recursive: true });
      if (canMoveInto(dir)) return [{ controller, dir, settings }];
    } catch {
      // This account may not.
    }
    removeCgroup(dir);
    return [];
  });
}

function keepNote(file: string, dirs: readonly string[]): void {
  try {
    writeFileSync(file, dirs.join('\n'), { mode: 0o600 });
  } catch {
    // On a full disk, a folder that costs nothing may stay behind.
  }
}

/** Of runners that were killed. */
function removeLeftCgroups(own: string): void {
  const place = here();
  for (const name of readdirSync(own)) {
    if (isLeft(name, place)) removeCgroup(path.join(own, name));
  }
}

/** An updated runner is started from within the cgroup of the one before it. */
function withoutLeaf(own: string): string {
  const parent = path.dirname(own);
  const isLeaf = path.basename(own) === LEAF && isRunnerCgroup(path.basename(parent));
  return isLeaf ? path.dirname(parent) : own;
}

/**
 * Moving needs more rights than making the folder, so one short process is really moved: into a cgroup
 * below, since a process in `dir` itself would keep its controllers from being enabled.
 */
function canMoveInto(dir: string): boolean {
  // Node alone is on every host of a runner.
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.on('error', () => {});
  const { pid } = child;
  // `kill` of a child that could not be started would signal this process's own group.
  if (pid === undefined) return false;
  try {
    const probe = path.join(dir, 'probe');
    mkdirSync(probe, { recursive: true });
    writeFileSync(path.join(probe, 'cgroup.procs'), String(pid));
    return pidsIn(probe).includes(pid);
  } catch {
    return false;
  } finally {
    child.kill('SIGKILL');
  }
}

function words(file: string): string[] {
  return readText(file).split(/\s+/).filter(Boolean);
}

/** The cgroup of a runner, below which its attempts have theirs, and the limits that it can set there. */
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  type AgentSettings,
  type AttemptPlace,
  enableControllers,
  pidsIn,
  removeCgroup,
} from './cgroup';
import type { AttemptLimits } from './limits';
import { readProcess } from './process-table';

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
/** With its process, and the namespace in which that number names it; earlier versions left that out. */
const OF_RUNNER = /^tierwatch-(\d+)(?:-(\d+))?$/;

/**
 * Makes the cgroup for this runner's attempts, or null where that doesn't work.
 *
 * @param runnerDir keeps where it is: a killed runner's can be below another cgroup than this one's
 * @param wanted for each agent
 */
export function makeRunnerCgroup(runnerDir: string, wanted: AttemptLimits): RunnerCgroup | null {
  if (process.platform !== 'linux') return null;
  const facts = readFacts();
  const base = facts.own === null ? null : withoutLeaf(facts.own);
  if (base === null) return null;
  const dir = path.join(base, ownName());
  const noteFile = path.join(runnerDir, 'cgroup');
  try {
    removeLeftCgroups(base);
    for (const earlier of readText(noteFile).split('\n')) {
      if (OF_RUNNER.test(path.basename(earlier)) && !isLive(path.basename(earlier))) {
        removeCgroup(earlier);
      }
    }
    mkdirSync(dir, { recursive: true });
    if (!canMoveInto(dir)) {
      removeCgroup(dir);
      return null;
    }
    const controllers = controllersFor(base, dir, facts.own ?? base);
    const legacy = makeLegacy(facts.legacy, controllers, wanted);
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
  return base.endsWith('.service') && statSync(base).uid === uid && holdsOnlyUs(base);
}

/** This process, those that it started, and those that it was started by. */
function holdsOnlyUs(dir: string): boolean {
  const ancestors = new Set(lineOf(process.pid));
  return pidsIn(dir).every((pid) => {
    const line = lineOf(pid);
    return line.length === 0 || ancestors.has(pid) || line.includes(process.pid);
  });
}

/** A process with those above it; empty once it is gone. */
function lineOf(pid: number): number[] {
  const found = pid > 0 ? readProcess(pid) : null;
  return found ? [pid, ...lineOf(found.parentPid)] : [];
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
  found: Facts['legacy'],
  controllers: readonly string[],
  { processes }: AttemptLimits,
): Legacy[] {
  return found.flatMap(({ controller, own }) => {
    if (controllers.includes(controller)) return [];
    // In a group of their own, all agents together have as much of the processors as one process.
    const isPids = controller === 'pids';
    if (isPids && processes === null) return [];
    const settings: AgentSettings = isPids ? { 'pids.max': String(processes) } : {};
    const dir = path.join(own, ownName());
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
  for (const name of readdirSync(own)) {
    const [, pid, namespace] = OF_RUNNER.exec(name) ?? [];
    // What a process of another namespace has made may be in use, since that process can't be seen.
    const isOurs = pid !== undefined && namespace === pidNamespace();
    if (isOurs && !isLive(name)) removeCgroup(path.join(own, name));
  }
}

function ownName(): string {
  return `tierwatch-${process.pid}-${pidNamespace()}`;
}

function isLive(name: string): boolean {
  const [, pid, namespace] = OF_RUNNER.exec(name) ?? [];
  const isSeen = namespace === undefined || namespace === pidNamespace();
  return isSeen && readProcess(Number(pid)) !== null;
}

function pidNamespace(): string {
  return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
}

/** An updated runner is started from within the cgroup of the one before it. */
function withoutLeaf(own: string): string {
  const parent = path.dirname(own);
  const isLeaf = path.basename(own) === LEAF && OF_RUNNER.test(path.basename(parent));
  return isLeaf ? path.dirname(parent) : own;
}

interface Facts {
  /** This process's cgroup of version 2; null if there is none. */
  own: string | null;
  legacy: { controller: string; own: string }[];
}

function readFacts(): Facts {
  const lines = readText('/proc/self/cgroup').split('\n');
  const own = lines.find((line) => line.startsWith('0::/'))?.slice('0::'.length);
  const all = mounts(readText('/proc/self/mountinfo'));
  const unified = all.filter(({ type }) => type === 'cgroup2');
  return {
    own: own === undefined ? null : placeIn(unified, own),
    legacy: ['pids', 'cpu'].flatMap((controller) => {
      const line = lines.find((each) => each.split(':')[1]?.split(',').includes(controller));
      const within = line?.split(':').slice(2).join(':');
      const hierarchy = all.filter(
        ({ type, options }) => type === 'cgroup' && options.split(',').includes(controller),
      );
      const at = within === undefined ? null : placeIn(hierarchy, within);
      return at === null ? [] : [{ controller, own: at }];
    }),
  };
}

function cgroup2Mount(): string | null {
  return (
    mounts(readText('/proc/self/mountinfo')).find(({ type }) => type === 'cgroup2')?.at ?? null
  );
}

interface Mount {
  /** What of the hierarchy is mounted, as this process's namespace names it. */
  root: string;
  at: string;
  type: string;
  options: string;
}

/** Where a cgroup is mounted; null if none of the mounts shows it. */
export function placeIn(found: readonly Mount[], cgroup: string): string | null {
  for (const { root, at } of found) {
    const below = path.posix.relative(root, cgroup);
    if (!root.startsWith('/..') && !below.startsWith('..')) return path.resolve(at, below);
  }
  return null;
}

/** @param mountinfo the text of /proc/self/mountinfo */
export function mounts(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [place = '', kind = ''] = line.split(' - ');
    const [, , , root, at] = place.split(' ');
    const [type = '', , options = ''] = kind.split(' ');
    return root === undefined || at === undefined ? [] : [{ root, at, type, options }];
  });
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

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

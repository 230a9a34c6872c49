/** Where this process's cgroups are mounted. */

import { readlinkSync } from 'node:fs';
import path from 'node:path';
import { readText } from '../files';
import { readProcess } from './process-table';

/** Folders of this process's cgroups. */
interface CgroupPlaces {
  /** This process's cgroup of version 2; null if there is none. */
  own: string | null;
  legacy: { controller: string; own: string }[];
}

export function readPlaces(): CgroupPlaces {
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

export function cgroup2Mount(): string | null {
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

// What the cgroup of a runner is called: by its process, and the namespace in which that number names it.

/** Earlier versions left the namespace out. */
const OF_RUNNER = /^tierwatch-(\d+)(?:-(\d+))?$/;

/** Where a name is read: the namespace of process numbers, and which of its processes are there. */
export interface Here {
  namespace: string;
  isThere(pid: number): boolean;
}

export function here(): Here {
  return {
    namespace: /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0',
    isThere: (pid) => readProcess(pid) !== null,
  };
}

export function runnerCgroupName(pid: number, { namespace }: Pick<Here, 'namespace'>): string {
  return `tierwatch-${pid}-${namespace}`;
}

export function isRunnerCgroup(name: string): boolean {
  return OF_RUNNER.test(name);
}

/** Whether the runner of a cgroup is seen here. One of another namespace can't be seen, and may run. */
export function isLive(name: string, { namespace, isThere }: Here): boolean {
  const [, pid, own = namespace] = OF_RUNNER.exec(name) ?? [];
  return own === namespace && isThere(Number(pid));
}

/** Whether the runner of a cgroup has certainly ended. */
export function isLeft(name: string, place: Here): boolean {
  const own = OF_RUNNER.exec(name)?.[2];
  return own === place.namespace && !isLive(name, place);
}

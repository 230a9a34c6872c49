/** What the cgroup of a runner is called: by its process, and the namespace in which that number names it. */
import { readlinkSync } from 'node:fs';
import { readProcess } from './process-table';

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

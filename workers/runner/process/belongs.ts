import type { HostProcess } from './process-table';

/**
 * Everything that hangs together with the given processes: their descendants, and whatever lives
 * in a session or group that one of them leads, which outlives parents and changes of environment.
 *
 * The sh of `setsid sh -c 'sleep 9 & sleep 9' &` leads a session, so a sleep in it belongs, also
 * once the sh is gone and the sleep's parent is process 1. A shell that merely shares its group
 * with the runner does not.
 */
export function belongingTo(roots: ReadonlySet<number>, table: HostProcess[]): HostProcess[] {
  const found = new Set(roots);
  let before = -1;
  while (found.size !== before) {
    before = found.size;
    for (const { pid, parentPid, groupId, sessionId } of table) {
      if (found.has(parentPid) || found.has(groupId) || found.has(sessionId)) found.add(pid);
    }
  }
  return table.filter((one) => found.has(one.pid) && !one.isZombie);
}

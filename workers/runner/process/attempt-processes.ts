/**
 * Every process that an attempt has started, found by its marker, its ancestors, its sessions and
 * its cgroup. The agent's shells live in sessions of their own and outlive the CLI, so its
 * process group alone would miss them.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import type { Cgroup } from './cgroup';
import {
  type HostProcess,
  hasEnvironmentLine,
  listProcesses,
  signalProcess,
} from './process-table';

export interface AttemptProcesses {
  /** Remembers what it finds: it is recognised later, when its parents are gone. */
  alive(): HostProcess[];
  /** Kills until none is left or `withinMs` is over, after leaving them `graceMs` to end. */
  clear(options: { graceMs: number; withinMs: number }): Promise<Cleared>;
}

interface Cleared {
  killed: number;
  survivors: HostProcess[];
}

const LOOK_EVERY_MS = 10;

/** Carried in the environment of every process of one start of an attempt. */
export function newMarker(attemptId: string): string {
  return `${markerPrefix(attemptId)}${randomUUID()}`;
}

/** What the markers of all starts of an attempt begin with. */
export function markerPrefix(attemptId: string): string {
  return `${attemptId}.`;
}

export function attemptProcesses(options: {
  /** From `newMarker`, or a `markerPrefix`. */
  marker: string;
  mainPid: number | null;
  cgroup: Pick<Cgroup, 'pids' | 'kill'> | null;
}): AttemptProcesses {
  const line = `${MARKER_VARIABLE}=${options.marker}`;
  const known = new Map<number, string>();
  const killed = new Set<string>();

  function alive(): HostProcess[] {
    const table = listProcesses();
    const started = new Map(table.map((one) => [one.pid, one.startedAt]));
    const roots = new Set(options.cgroup?.pids() ?? []);
    // One that is gone still names its session; one whose number was given again does not.
    for (const [pid, startedAt] of known) {
      if ((started.get(pid) ?? startedAt) === startedAt) roots.add(pid);
    }
    if (options.mainPid !== null && !known.has(options.mainPid)) roots.add(options.mainPid);
    for (const { pid } of table) if (hasEnvironmentLine(pid, line)) roots.add(pid);
    roots.delete(process.pid);
    const found = belongingTo(roots, table).filter((one) => one.pid !== process.pid);
    for (const { pid, startedAt } of found) known.set(pid, startedAt);
    return found;
  }

  function kill(found: HostProcess[]): void {
    options.cgroup?.kill();
    for (const { pid, startedAt } of found) {
      killed.add(`${pid}/${startedAt}`);
      // The next scan shows whether it is still there.
      signalProcess(pid, 'SIGKILL');
    }
  }

  return {
    alive,
    async clear({ graceMs, withinMs }) {
      const from = Date.now();
      let found = alive();
      let hasKilled = false;
      // Once at least: this process may have been stopped (SIGSTOP, a suspended host) for longer.
      while (found.length > 0 && (!hasKilled || Date.now() - from < withinMs)) {
        if (Date.now() - from >= graceMs) {
          kill(found);
          hasKilled = true;
        }
        await wait(LOOK_EVERY_MS);
        found = alive();
      }
      return { killed: killed.size, survivors: found };
    },
  };
}

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

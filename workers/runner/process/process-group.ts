import { type HostProcess, listProcesses } from './process-table';

/**
 * Returns what is left of a process group whose leader has ended. The kernel gives the leader's number to
 * no other process while the group has members, so one with that number says that the group is gone.
 *
 * @param list the host's processes; read where the group, or another with its number, exists
 */
export function leftOfGroup(
  leader: number,
  list: () => readonly HostProcess[] = listProcesses,
): HostProcess[] {
  if (signalGroup(leader, 0) === 'gone') return [];
  const processes = list();
  if (processes.some(({ pid }) => pid === leader)) return [];
  return processes.filter(({ groupId, isZombie }) => groupId === leader && !isZombie);
}

/** @returns `gone`: there is no such group; `refused`: this account may signal none of its processes */
export function signalGroup(
  leader: number,
  signal: NodeJS.Signals | 0,
): 'sent' | 'gone' | 'refused' {
  return send(-leader, signal);
}

/** Whether a process is there that this account may not signal. */
export function isForeign({ pid }: HostProcess): boolean {
  return send(pid, 0) === 'refused';
}

function send(target: number, signal: NodeJS.Signals | 0): 'sent' | 'gone' | 'refused' {
  try {
    process.kill(target, signal);
    return 'sent';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'refused' : 'gone';
  }
}

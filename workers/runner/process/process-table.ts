/** Reads the processes of this host from /proc, to find what an attempt has started. */
import { namesIn, readText } from '../files';

export interface HostProcess {
  pid: number;
  parentPid: number;
  groupId: number;
  sessionId: number;
  /** Clock ticks since boot; with the pid it names one process for good. */
  startedAt: string;
  isZombie: boolean;
}

// Read as UTF-8: for other encodings Node allocates 64 kB for each file of unknown size.

/** Empty on a system without /proc. */
export function listProcesses(): HostProcess[] {
  return namesIn('/proc').flatMap((name) => {
    const pid = Number(name);
    const found = Number.isInteger(pid) ? readProcess(pid) : null;
    return found ? [found] : [];
  });
}

/** Changes with every boot of the host; null on a system that doesn't tell. */
export function currentBootId(): string | null {
  return readText('/proc/sys/kernel/random/boot_id').trim() || null;
}

/** Null when it is gone. */
export function readProcess(pid: number): HostProcess | null {
  return parseStat(readText(`/proc/${pid}/stat`));
}

/**
 * The name is in parentheses and may contain spaces and parentheses itself; the rest has a fixed
 * format.
 */
export function parseStat(stat: string): HostProcess | null {
  const pid = Number.parseInt(stat, 10);
  const rest = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = rest;
  const startedAt = rest[19];
  if (!Number.isInteger(pid) || state === undefined || startedAt === undefined) return null;
  return {
    pid,
    parentPid: Number(parent),
    groupId: Number(group),
    sessionId: Number(session),
    startedAt,
    isZombie: state === 'Z' || state === 'X',
  };
}

/** Whether the process was started with this line in its environment. False where it is not ours to read. */
/** @param line a whole line, or its beginning that ends with a dot */
export function hasEnvironmentLine(pid: number, line: string): boolean {
  const lines = readText(`/proc/${pid}/environ`).split('\0');
  return line.endsWith('.') ? lines.some((one) => one.startsWith(line)) : lines.includes(line);
}

/**
 * @param target a process, or the negative number of a group's leader
 * @returns `gone`: there is none; `refused`: this account may signal none of them
 */
export function signalProcess(
  target: number,
  signal: NodeJS.Signals | 0,
): 'sent' | 'gone' | 'refused' {
  try {
    process.kill(target, signal);
    return 'sent';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'refused' : 'gone';
  }
}

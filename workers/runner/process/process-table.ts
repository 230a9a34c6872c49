/** Reads the processes of this host from /proc, to find what an attempt has started. */
import { readdirSync, readFileSync } from 'node:fs';

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
  return processNames().flatMap((name) => {
    const pid = Number(name);
    const found = Number.isInteger(pid) ? readProcess(pid) : null;
    return found ? [found] : [];
  });
}

function processNames(): string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}

/** Changes with every boot of the host; null on a system that doesn't tell. */
export function currentBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

/** Null when it is gone. */
export function readProcess(pid: number): HostProcess | null {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return null;
  }
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
  try {
    const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return line.endsWith('.') ? lines.some((one) => one.startsWith(line)) : lines.includes(line);
  } catch {
    return false;
  }
}

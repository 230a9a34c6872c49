/** What a process uses, from /proc; where there is none, nothing is known. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface ProcessUse {
  /** Most resident memory that was seen, in bytes. */
  peakBytes: number;
  /** User and system time. */
  processorSeconds: number;
}

const LOOK_EVERY_MS = 200;

/** Watches from now on; the children of the process do not count. */
export function watchProcess(pid: number): { end(): ProcessUse | null } {
  if (!existsSync('/proc/self/stat')) return { end: () => null };
  const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const before = processorTicks(pid);
  let peakBytes = residentBytes(pid);
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(pid));
  }, LOOK_EVERY_MS);
  return {
    end() {
      clearInterval(timer);
      const processorSeconds = (processorTicks(pid) - before) / ticksPerSecond;
      return { peakBytes: Math.max(peakBytes, residentBytes(pid)), processorSeconds };
    },
  };
}

/** The name before the figures may hold blanks. */
function processorTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}

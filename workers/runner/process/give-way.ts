import { writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const NICE = 5;
/** Of 1,000: the kernel ends such a process before others when the host's memory is used up. */
const OUT_OF_MEMORY_SCORE = '500';

/** Puts a process, and what it starts from then on, behind the runner and the host's services. */
export function giveWay(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, OUT_OF_MEMORY_SCORE);
  } catch {
    // It has ended, or the host doesn't allow it.
  }
  try {
    setPriority(pid, Math.max(NICE, getPriority()));
  } catch {
    // The same.
  }
}

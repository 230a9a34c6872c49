import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The fields of /proc/<pid>/stat after the name, which stands in brackets and may hold blanks. */
function procFields(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

/** Whether a process runs; one that ended and was not collected yet does not. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return process.platform !== 'linux' || procFields(pid)?.[0] !== 'Z';
}

/**
 * When a process began, in the system's own notation: with the pid it names one process for good,
 * since pids are used again. Null where the system does not tell.
 */
export function startMark(pid) {
  if (process.platform === 'linux') return procFields(pid)?.[19] ?? null;
  if (process.platform === 'win32') return null;
  const shown = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return shown.stdout?.trim() || null;
}

/** Whether the process that was noted as pid and mark still lives. */
export function isSameProcess(pid, mark) {
  return isAlive(pid) && startMark(pid) === mark;
}

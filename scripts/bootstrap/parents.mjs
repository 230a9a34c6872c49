import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isSameProcess, startMark } from './process-identity.mjs';

const LOOK_MS = 500;

/**
 * Calls `onGone` once when the npm that runs this script, or the shell between them, is gone. On a
 * signal npm exits without passing it on, and would leave this process behind. Does nothing when the
 * script wasn't started by npm, which may be in the background on purpose, and nothing on Windows.
 *
 * @param {() => void} onGone
 */
export function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return;
  const shell = process.ppid;
  // Where the shell has replaced itself with this script, its parent is npm's own parent instead.
  const npm = isShellOfScript(shell) ? parentOf(shell) : null;
  const parents = [shell, ...(npm ? [npm] : [])].map((pid) => ({ pid, mark: startMark(pid) }));
  const timer = setInterval(() => {
    if (parents.every(({ pid, mark }) => isSameProcess(pid, mark))) return;
    clearInterval(timer);
    onGone();
  }, LOOK_MS);
  timer.unref();
}

function isShellOfScript(pid) {
  const script = process.env.npm_lifecycle_script;
  if (!script) return false;
  return commandOf(pid).includes(script);
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    const shown = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
    return shown.stdout ?? '';
  }
}

/** Returns the parent's pid; null if the system doesn't tell. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    const shown = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' });
    return Number(shown.stdout?.trim()) || null;
  }
}

import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../process-identity.mjs';

const STOP_TIMEOUT_MS = 30_000;

/** Whether a living process is the server of this cluster, and not a later one with the same pid. */
function servesCluster(pid, data) {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data);
    } catch {
      return false;
    }
  }
  if (process.platform === 'win32') return true;
  const shown = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return shown.stdout?.includes(data) ?? false;
}

/**
 * The server that a killed start left running on this cluster.
 * @param {string} data the cluster's folder
 * @returns {{ pid: number, port: number | null } | null}
 */
export function findLeftServer(data) {
  let lines;
  try {
    lines = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1) return null;
  if (isAlive(pid) && servesCluster(pid, data)) return { pid, port: Number(lines[3]) || null };
  return null;
}

/**
 * PostgreSQL refuses to start while the pid in its file belongs to any living process. Pids are used
 * again, after a restart of the machine above all, so such a file is removed.
 */
export function removeStalePidFile(data) {
  if (!findLeftServer(data)) rmSync(path.join(data, 'postmaster.pid'), { force: true });
}

/** Ends a server: a fast shutdown, and an immediate one when that takes too long. */
export async function stopServer(pid, timeoutMs = STOP_TIMEOUT_MS) {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL']) {
    if (!isAlive(pid)) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = Date.now() + timeoutMs;
    while (isAlive(pid) && Date.now() < deadline) await sleep(10);
  }
}

export async function stopLeftServer(data) {
  const left = findLeftServer(data);
  if (left) await stopServer(left.pid);
}

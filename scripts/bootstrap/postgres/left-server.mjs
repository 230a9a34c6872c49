import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartProblem } from '../problem.mjs';
import { isAlive } from '../process-identity.mjs';

/** For each of three ways to stop, in milliseconds. */
const STOP_TIMEOUT_MS = 4_000;

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

const ORPHANS_END_MS = 5_000;

/**
 * Ends what a killed start or server has left working in a cluster (Linux). Backends notice it
 * themselves once their statement ends. Until then no other server may start on the cluster, and
 * PostgreSQL can check that only as long as the pid file is there.
 *
 * @param {string} data the cluster's folder
 * @throws {StartProblem} if some can't be ended
 */
export async function endOrphans(data) {
  if (process.platform !== 'linux') return;
  for (const signal of ['SIGQUIT', 'SIGKILL']) {
    for (const pid of listOrphans(data)) signalIfAlive(pid, signal);
    const deadline = Date.now() + ORPHANS_END_MS;
    while (listOrphans(data).length > 0) {
      if (Date.now() > deadline) break;
      await sleep(20);
    }
  }
  const left = listOrphans(data);
  if (left.length === 0) return;
  throw new StartProblem(
    `PostgreSQL can't start: processes of its killed server still use ${data} and don't end (${left.join(', ')}). End them, or restart this machine.`,
  );
}

/** Processes in the cluster's folder: PostgreSQL's own, which all work there. */
function listOrphans(data) {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && isAlive(pid) && servesCluster(pid, data));
}

function signalIfAlive(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
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

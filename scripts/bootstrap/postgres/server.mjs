import { spawn, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findFreePort } from '../ports.mjs';
import { StartProblem } from '../problem.mjs';
import { isAlive } from '../process-identity.mjs';
import { endOrphans, findLeftServer, removeStalePidFile } from './left-server.mjs';
import { makeClusterFolder } from './place.mjs';
import { superuserUrl } from './settings.mjs';

const READY_TIMEOUT_MS = 60_000;
/** Between tries for a port that something else holds. */
const PORT_RETRY_MS = 250;
const LOG_LIMIT_BYTES = 10_000_000;
/** "The database system is starting up", and shutting down. */
const NOT_NOW = '57P03';

/** The server needs nothing of ours, and gets none of our secrets. */
function serverEnvironment() {
  const { PATH, SystemRoot, TMPDIR, TEMP } = process.env;
  const kept = { PATH, SystemRoot, TMPDIR, TEMP, LC_ALL: 'C', LC_MESSAGES: 'C' };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

function programOf(native, name) {
  return path.join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/**
 * Makes the cluster if there is none yet. It is built beside its place and renamed, so that a start
 * killed in between leaves no half cluster.
 * @throws {StartProblem} if there was one that ran, and it is gone
 */
export async function ensureCluster({ native, data, nameOf, account, settings, isThrowaway }) {
  if (existsSync(path.join(data, 'PG_VERSION'))) return;
  if (settings.port !== null) throw missingCluster(data);
  const staging = `${data}.new`;
  // The initdb of a start that was killed keeps running, and would write into the new cluster.
  await endOrphans(staging);
  makeClusterFolder(staging, account);
  const args = ['-D', nameOf(staging), '-U', 'postgres', '--auth=scram-sha-256'];
  args.push('--encoding=UTF8', '--locale=C', ...(isThrowaway ? ['--no-sync'] : []));
  const made = withPasswordFile(data, account, settings.superuserPassword, (file, stdin) =>
    spawnSync(programOf(native, 'initdb'), [...args, `--pwfile=${file}`], {
      ...account,
      env: serverEnvironment(),
      cwd: staging,
      stdio: [stdin, 'pipe', 'pipe'],
      encoding: 'utf8',
    }),
  );
  if (made.status !== 0) {
    rmSync(staging, { recursive: true, force: true });
    throw notStarted(data, `initdb failed: ${made.error?.message ?? made.stderr}`);
  }
  rmSync(data, { recursive: true, force: true });
  renameSync(staging, data);
}

/** A server needs room for one more segment of its log of changes, in bytes. */
const ROOM_TO_START = 32 * 1024 * 1024;

/** The log may lie on the same disk, and then doesn't say that it is full. */
function notStarted(data, said) {
  const home = path.dirname(data);
  const { bavail, bsize } = statfsSync(home);
  if (bavail * bsize >= ROOM_TO_START && !said.includes('No space left')) {
    return new StartProblem(said);
  }
  return new StartProblem(
    `The disk of the database is full, so PostgreSQL can’t run. Free at least ${ROOM_TO_START / 1024 / 1024} MB on the disk of ${home}. Nothing that was saved is lost.`,
  );
}

/** An empty database in its place would look like a new installation, and hide the loss. */
function missingCluster(data) {
  const settingsFile = path.join(data, '..', 'connection.json');
  return new StartProblem(
    `The database of this data folder is missing: there was one, and ${data} is not it. Put the folder back from a backup that holds postgres/data. To start with an empty database instead, delete ${settingsFile}.`,
  );
}

/**
 * initdb reads the password from its input where it can't enter the folder of the file.
 * @param {(file: string, stdin: number | 'ignore') => T} use
 * @returns {T}
 * @template T
 */
function withPasswordFile(data, account, password, use) {
  const file = path.join(data, '..', `.password-${process.pid}`);
  writeFileSync(file, `${password}\n`, { mode: 0o600 });
  if (account) chownSync(file, account.uid, account.gid);
  const opened = openSync(file, 'r');
  try {
    return process.platform === 'win32' ? use(file, 'ignore') : use('/dev/stdin', opened);
  } finally {
    closeSync(opened);
    rmSync(file, { force: true });
  }
}

const THROWAWAY_FLAGS = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  ...['wal_level=minimal', 'max_wal_senders=0', 'autovacuum=off', 'jit=off'],
];

function launch({ native, data, nameOf, account, isThrowaway }, port, logFile) {
  mkdirSync(path.dirname(logFile), { recursive: true });
  const isLong = existsSync(logFile) && statSync(logFile).size > LOG_LIMIT_BYTES;
  const log = openSync(logFile, isLong ? 'w' : 'a', 0o600);
  const flags = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
  if (isThrowaway) flags.push(...THROWAWAY_FLAGS);
  const args = ['-D', nameOf(data), '-p', String(port), ...flags.flatMap((flag) => ['-c', flag])];
  try {
    // In a session of its own, so that Ctrl-C in the terminal does not end it before its clients.
    return spawn(programOf(native, 'postgres'), args, {
      ...account,
      env: serverEnvironment(),
      cwd: data,
      stdio: ['ignore', log, log],
      detached: true,
    });
  } finally {
    closeSync(log);
  }
}

async function canConnect(settings) {
  const client = new pg.Client({ connectionString: superuserUrl(settings) });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'yes';
  } catch (error) {
    if (error.code === NOT_NOW || error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET') {
      return 'not yet';
    }
    if (error.message === 'Connection terminated unexpectedly') return 'not yet';
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Waits until the server answers. @returns {Promise<boolean>} false when its process has ended */
async function waitUntilReady(pid, settings, deadline) {
  while (Date.now() < deadline) {
    if (!isAlive(pid)) return false;
    if ((await canConnect(settings)) === 'yes') return true;
    await sleep(15);
  }
  throw new Error(`PostgreSQL (pid ${pid}) did not become ready within a minute.`);
}

function lastLines(file, count = 15) {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}

/**
 * A running server for the cluster: the one a killed start left behind, or a new one.
 * @param {{ settings: object, logFile: string, port?: number }} options port: the only one it may
 *   listen on; by default any that is free
 * @returns {Promise<{ pid: number, port: number, isReused: boolean }>}
 */
export async function runServer({ settings, logFile, port: requiredPort, ...place }) {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const left = findLeftServer(place.data);
    if (left) {
      // A server that is shutting down (its guard has stopped it) ends, and a new one starts.
      const port = left.port ?? settings.port;
      if (port && (await waitUntilReady(left.pid, { ...settings, port }, deadline))) {
        return { pid: left.pid, port, isReused: true };
      }
      await sleep(15);
      continue;
    }
    await endOrphans(place.data);
    removeStalePidFile(place.data);
    const port = requiredPort ?? (await findFreePort());
    const child = launch(place, port, logFile);
    child.unref();
    const failed = new Promise((_, reject) => child.once('error', reject));
    const ready = waitUntilReady(child.pid ?? 0, { ...settings, port }, deadline);
    if (await Promise.race([ready, failed])) return { pid: child.pid, port, isReused: false };
    const said = lastLines(logFile);
    if (!/could not bind|Address already in use/.test(said)) {
      throw notStarted(place.data, `PostgreSQL exited. The end of ${logFile}:\n${said}`);
    }
    if (requiredPort) await sleep(PORT_RETRY_MS);
  }
  throw new Error(`PostgreSQL did not become ready within a minute. See ${logFile}.`);
}

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, startMark } from './process-identity.mjs';

/** Processes of a killed start end by themselves within this time, in milliseconds. */
const END_BY_THEMSELVES_MS = 10_000;
const KILLED_WITHIN_MS = 5_000;

const fileOf = (dataDir) => path.join(dataDir, 'processes.json');

/**
 * Records which processes a start runs, so that the next one can end them if this one is killed.
 *
 * @param {string} dataDir
 * @returns {{ add: (pid: number) => void, remove: (pid: number) => void }}
 */
export function recordProcesses(dataDir) {
  const running = new Map();
  const write = () => {
    const staging = `${fileOf(dataDir)}.new`;
    try {
      writeFileSync(staging, JSON.stringify([...running.values()]), { mode: 0o600 });
      renameSync(staging, fileOf(dataDir));
    } catch {
      // On a full disk the guards alone end them.
      rmSync(staging, { force: true });
    }
  };
  return {
    add(pid) {
      running.set(pid, { pid, mark: startMark(pid) });
      write();
    },
    remove(pid) {
      running.delete(pid);
      write();
    },
  };
}

/**
 * Waits until the processes of a killed start have ended, and kills those that haven't in time. They
 * hold its port, its runner's lock and its database.
 *
 * @param {string} dataDir
 * @param {() => void} onWait called once if there is something to wait for
 */
export async function endLeftProcesses(dataDir, onWait) {
  const left = () => readProcesses(dataDir).filter(({ pid, mark }) => isSameProcess(pid, mark));
  if (left().length === 0) return;
  onWait();
  await untilNone(left, END_BY_THEMSELVES_MS);
  for (const { pid } of left()) killGroup(pid);
  await untilNone(left, KILLED_WITHIN_MS);
}

function readProcesses(dataDir) {
  try {
    return JSON.parse(readFileSync(fileOf(dataDir), 'utf8'));
  } catch {
    return [];
  }
}

async function untilNone(left, withinMs) {
  const deadline = performance.now() + withinMs;
  while (left().length > 0 && performance.now() < deadline) await sleep(50);
}

function killGroup(pid) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

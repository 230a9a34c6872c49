/** `npm start` as a child process of a test, on a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { findLeftServer } from '@/scripts/bootstrap/postgres/left-server.mjs';
import { eventually } from './eventually';

const checkout = path.resolve(import.meta.dirname, '..', '..');
const READY_MS = 180_000;

export interface StartedSystem {
  child: ChildProcess;
  address: string;
  output(): string;
  ended: Promise<number | null>;
}

export function makeDataDir(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tierwatch-start-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Runs `npm start`'s script. `from`: the checkout that it is in. */
export function spawnStart(dataDir: string, port: number, from = checkout): StartedSystem {
  return spawnOn(dataDir, process.execPath, ['scripts/start.mjs'], port, { from });
}

/** Runs `npm start` itself, in a process group of its own. `more`: settings of this start. */
export async function runNpmStart(
  dataDir: string,
  { port, ...options }: { port?: number; more?: Record<string, string>; from?: string } = {},
): Promise<StartedSystem> {
  return spawnOn(dataDir, 'npm', ['start'], port ?? (await findFreePort()), options);
}

/** Runs a program on a data folder; nothing of this test run's own database reaches it. */
export function spawnOn(
  dataDir: string,
  file: string,
  args: string[],
  port: number,
  { more = {}, from = checkout }: { more?: Record<string, string>; from?: string } = {},
): StartedSystem {
  const child = spawn(file, args, {
    cwd: from,
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TIERWATCH_DATA_DIR: dataDir,
      PORT: String(port),
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: file === 'npm',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, address: `http://127.0.0.1:${port}`, output: () => text, ended };
}

/** Started and printing its last line. */
export async function startSystem(dataDir: string, from = checkout): Promise<StartedSystem> {
  return untilStarted(spawnStart(dataDir, await findFreePort(), from));
}

/** Waits for the last line of a start. */
export async function untilStarted(system: StartedSystem): Promise<StartedSystem> {
  let hasEnded = false;
  void system.ended.then(() => {
    hasEnded = true;
  });
  await eventually(
    'npm start prints its last line',
    () => {
      if (hasEnded) throw new Error(`npm start ended:\n${system.output()}`);
      return system.output().includes('Press Ctrl-C to stop.');
    },
    READY_MS,
  );
  return system;
}

export interface RunningProcess {
  pid: number;
  command: string;
}

/** Every process whose command line or environment names the data folder (Linux). */
export function processesOf(dataDir: string): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8');
        // A process that has ended and was not collected yet has no command line.
        const isOurs = command !== '' && `${command}\0${environment}`.includes(dataDir);
        return isOurs ? [{ pid: Number(name), command }] : [];
      } catch {
        return [];
      }
    });
}

export function environmentOf(pid: number): Record<string, string> {
  const pairs = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
}

const PARTS = {
  demo: /dist\/demo-service\.mjs/,
  web: /next-server|next start/,
  worker: /dist\/worker\.mjs/,
  runner: /dist\/runner\.mjs/,
};

export type Part = keyof typeof PARTS;

export function findPart(dataDir: string, part: Part): RunningProcess | undefined {
  return processesOf(dataDir).find(({ command }) => PARTS[part].test(command));
}

/** Of a part that runs; never 0, with which a signal would reach this test's own process group. */
export function pidOf(dataDir: string, part: Part): number {
  const running = findPart(dataDir, part);
  if (!running) throw new Error(`No process of ${dataDir} is the ${part}.`);
  return running.pid;
}

export const serverOf = (dataDir: string) => findLeftServer(path.join(dataDir, 'postgres', 'data'));

export async function expectNothingLeft(dataDir: string): Promise<void> {
  await eventually('every process ends', () => processesOf(dataDir).length === 0, 60_000);
  await eventually('PostgreSQL ends', () => serverOf(dataDir) === null, 60_000);
}

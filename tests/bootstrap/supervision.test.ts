/** What `npm start` and `serve.mjs` do when they, or what they run, are stopped or killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { findLeftServer } from '@/scripts/bootstrap/postgres/left-server.mjs';
import { isAlive } from '@/scripts/bootstrap/process-identity.mjs';
import { eventually } from './eventually';
import {
  findPart,
  makeDataDir,
  pidOf,
  processesOf,
  runNpmStart,
  type StartedSystem,
  spawnStart,
  startSystem,
  untilStarted,
} from './started-system';

const checkout = path.resolve(import.meta.dirname, '..', '..');

const serverOf = (dataDir: string) => findLeftServer(path.join(dataDir, 'postgres', 'data'));

async function expectNothingLeft(dataDir: string): Promise<void> {
  await eventually('every process ends', () => processesOf(dataDir).length === 0, 60_000);
  await eventually('PostgreSQL ends', () => serverOf(dataDir) === null, 60_000);
}

const isReady = async ({ address }: StartedSystem) => {
  const response = await fetch(`${address}/readyz`).catch(() => null);
  return response?.status === 200;
};

/** The process that runs a command of a process tree below `pid`; null if there is none. */
function findBelow(pid: number, command: RegExp): number | null {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  for (const child of children.split(' ').filter(Boolean).map(Number)) {
    const args = readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' ');
    if (command.test(args)) return child;
    const below = findBelow(child, command);
    if (below !== null) return below;
  }
  return null;
}

describe('npm start', () => {
  const dataDir = makeDataDir();
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it.each([
    ['npm', (npm: ChildProcess) => process.kill(npm.pid ?? 0, 'SIGTERM')],
    [
      'its shell',
      (npm: ChildProcess) => process.kill(findBelow(npm.pid ?? 0, /^sh -c/) ?? 0, 'SIGTERM'),
    ],
    ['its process group', (npm: ChildProcess) => process.kill(-(npm.pid ?? 0), 'SIGTERM')],
    ['npm, as SIGKILL', (npm: ChildProcess) => process.kill(npm.pid ?? 0, 'SIGKILL')],
  ])(
    '[FLT-2.1] SIGTERM to %s stops everything',
    async (_what, stop) => {
      const system = await untilStarted(await runNpmStart(dataDir));
      stop(system.child);
      await expectNothingLeft(dataDir);
      expect(system.output()).toContain('Stopping…');
    },
    240_000,
  );
});

describe('a running npm start', () => {
  const dataDir = makeDataDir();
  let system: StartedSystem;
  beforeAll(async () => {
    system = await startSystem(dataDir);
  }, 240_000);
  afterAll(async () => {
    system.child.kill('SIGTERM');
    await system.ended;
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('[FLT-2.2] starts PostgreSQL again on the same port when it is killed, and reports it', async () => {
    const before = serverOf(dataDir);
    process.kill(before?.pid ?? 0, 'SIGKILL');
    await eventually('the console reports it', () =>
      system.output().includes('PostgreSQL is running again.'),
    );
    expect(system.output()).toContain('PostgreSQL exited unexpectedly');
    const after = serverOf(dataDir);
    expect(after?.pid).not.toBe(before?.pid);
    expect(after?.port).toBe(before?.port);
    await eventually('the product is ready again', () => isReady(system), 60_000);
  }, 120_000);

  it('[FLT-2.3] killed with a process that is stuck, leaves none, and a start right behind it takes over', async () => {
    const port = Number(new URL(system.address).port);
    const old = [pidOf(dataDir, 'worker'), pidOf(dataDir, 'runner'), pidOf(dataDir, 'web')];
    // It can't stop by itself: as one whose main thread waits for its output.
    process.kill(pidOf(dataDir, 'worker'), 'SIGSTOP');
    system.child.kill('SIGKILL');
    await system.ended;
    system = await untilStarted(spawnStart(dataDir, port));
    expect(old.filter(isAlive)).toEqual([]);
    expect(system.output()).toContain('Waiting for the processes of an earlier start to end…');
    await eventually('the product is ready again', () => isReady(system), 60_000);
    expect(findPart(dataDir, 'runner')).toBeDefined();
  }, 240_000);
});

describe('the first npm start', () => {
  it('[FLT-2.4] completes after 20 that were killed at random moments', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const dataDir = makeDataDir();
      for (const delayMs of randomDelays(seed, 5)) {
        const start = spawnStart(dataDir, await findFreePort());
        await Promise.race([sleep(delayMs), start.ended]);
        start.child.kill('SIGKILL');
        await start.ended;
      }
      const system = await startSystem(dataDir);
      await eventually('it is ready', () => isReady(system), 60_000);
      system.child.kill('SIGTERM');
      expect(await system.ended).toBe(0);
      rmSync(dataDir, { recursive: true, force: true });
    }
  }, 600_000);
});

describe('serve.mjs postgres', () => {
  it('[FLT-2.2] exits when its server does, and says so', async () => {
    const dataDir = makeDataDir();
    const child = spawn(process.execPath, ['scripts/serve.mjs', 'postgres'], {
      cwd: checkout,
      env: {
        NODE_ENV: 'production',
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        TIERWATCH_DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    await once(child.stdout, 'data');
    process.kill(serverOf(dataDir)?.pid ?? 0, 'SIGKILL');
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(errors).toContain('PostgreSQL exited unexpectedly.');
    rmSync(dataDir, { recursive: true, force: true });
  }, 120_000);
});

/** Moments within what a first start takes, in milliseconds, the same for the same seed. */
function randomDelays(seed: number, count: number): number[] {
  let state = seed * 2_654_435_761;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 50 + (state % 5_000);
  });
}

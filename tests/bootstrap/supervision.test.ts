/** What `npm start` and `serve.mjs` do when they, or what they run, are stopped or killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { isAlive } from '@/scripts/bootstrap/process-identity.mjs';
import { ensureTestPrograms, testProgram } from '@/tests/support/programs';
import { eventually } from './eventually';
import { makeLightCheckout } from './light-checkout';
import {
  expectNothingLeft,
  findPart,
  makeDataDir,
  pidOf,
  runNpmStart,
  type StartedSystem,
  serverOf,
  spawnOn,
  spawnStart,
  startSystem,
  untilStarted,
} from './started-system';

/** Of a process that a test signals: never 0, which would reach this test's own process group. */
function pidIn(found: { pid?: number | undefined } | null): number {
  if (!found?.pid) throw new Error('There is no such process.');
  return found.pid;
}

const isReady = async ({ address }: StartedSystem) => {
  const response = await fetch(`${address}/readyz`).catch(() => null);
  return response?.status === 200;
};

/** The process below `pid` whose command line matches; null if there is none. */
function findBelow(pid: number, command: RegExp): { pid: number } | null {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  for (const child of children.split(' ').filter(Boolean).map(Number)) {
    const args = readFileSync(`/proc/${child}/cmdline`, 'utf8').replaceAll('\0', ' ');
    if (command.test(args)) return { pid: child };
    const below = findBelow(child, command);
    if (below) return below;
  }
  return null;
}

describe('npm start', () => {
  const from = makeLightCheckout();
  const dataDir = makeDataDir();
  let system: StartedSystem;
  afterAll(async () => {
    system?.child.kill('SIGTERM');
    await system?.ended;
    for (const folder of [from, dataDir]) rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['SIGTERM to npm', (npm: ChildProcess) => process.kill(pidIn(npm), 'SIGTERM')],
    [
      'SIGTERM to its shell',
      (npm: ChildProcess) => process.kill(pidIn(findBelow(pidIn(npm), /^sh -c/)), 'SIGTERM'),
    ],
    ['SIGTERM to its process group', (npm: ChildProcess) => process.kill(-pidIn(npm), 'SIGTERM')],
    ['SIGKILL to npm', (npm: ChildProcess) => process.kill(pidIn(npm), 'SIGKILL')],
  ])(
    '[FLT-2.1] %s stops everything',
    async (_what, stop) => {
      system = await untilStarted(await runNpmStart(dataDir, { from }));
      stop(system.child);
      await expectNothingLeft(dataDir);
      expect(system.output()).toContain('Stopping…');
    },
    240_000,
  );

  describe('that runs', () => {
    beforeAll(async () => {
      system = await startSystem(dataDir, from);
    }, 240_000);

    it('[FLT-2.2] starts PostgreSQL again on the same port when it is killed, and reports it', async () => {
      const before = serverOf(dataDir);
      process.kill(pidIn(before), 'SIGKILL');
      await eventually('the console reports it', () =>
        system.output().includes('PostgreSQL is running again.'),
      );
      expect(system.output()).toContain('PostgreSQL exited unexpectedly');
      const after = serverOf(dataDir);
      expect(after?.pid).not.toBe(before?.pid);
      expect(after?.port).toBe(before?.port);
    }, 120_000);

    it('[FLT-2.3] leaves nothing when it is killed, not even a process that is stuck', async () => {
      // It can't stop by itself: as one whose main thread waits for its output.
      process.kill(pidOf(dataDir, 'worker'), 'SIGSTOP');
      system.child.kill('SIGKILL');
      await system.ended;
      await expectNothingLeft(dataDir);
      system = await startSystem(dataDir, from);
    }, 240_000);

    it('[FLT-2.3] is taken over by a start right behind its kill, which waits for what still runs', async () => {
      const port = Number(new URL(system.address).port);
      const old = [pidOf(dataDir, 'worker'), pidOf(dataDir, 'runner'), pidOf(dataDir, 'web')];
      process.kill(pidOf(dataDir, 'worker'), 'SIGSTOP');
      system.child.kill('SIGKILL');
      await system.ended;
      system = await untilStarted(spawnStart(dataDir, port, from));
      expect(old.filter(isAlive)).toEqual([]);
      expect(system.output()).toContain('Waiting for the processes of an earlier start to end…');
      await eventually('it answers again', () => isReady(system), 60_000);
      expect(findPart(dataDir, 'runner')).toBeDefined();
    }, 240_000);

    it('[FLT-2.3] is followed by a start that waits while it is stopping', async () => {
      system.child.kill('SIGTERM');
      await eventually('it says that it stops', () => system.output().includes('Stopping…'));
      // Held there until the next one has seen it.
      system.child.kill('SIGSTOP');
      const next = spawnStart(dataDir, await findFreePort(), from);
      await eventually('the next one waits', () =>
        next.output().includes('Waiting for the Tierwatch that is stopping…'),
      );
      system.child.kill('SIGCONT');
      await untilStarted(next);
      expect(await system.ended).toBe(0);
      system = next;
      expect(await isReady(system)).toBe(true);
    }, 240_000);
  });

  it('[FLT-2.2] serve.mjs postgres exits when its server does, and says so', async () => {
    system.child.kill('SIGTERM');
    await system.ended;
    const args = ['scripts/serve.mjs', 'postgres'];
    const served = spawnOn(dataDir, process.execPath, args, 0, { from });
    await eventually('it prints its address', () => served.output().includes('postgresql://'));
    process.kill(pidIn(serverOf(dataDir)), 'SIGKILL');
    expect(await served.ended).toBe(1);
    expect(served.output()).toContain('PostgreSQL exited unexpectedly.');
  }, 120_000);
});

describe('the first npm start', () => {
  // Of the product's own programs, and of small ones in their place: the database is real for both.
  const light = makeLightCheckout();
  afterAll(() => rmSync(light, { recursive: true, force: true }));

  it('[FLT-2.4] completes after 20 that were killed at random moments', async () => {
    for (const [seed, from] of [checkout, light].entries()) {
      const dataDir = makeDataDir();
      for (const delayMs of randomDelays(seed + 1, 10)) {
        const start = spawnStart(dataDir, await findFreePort(), from);
        await Promise.race([sleep(delayMs), start.ended]);
        start.child.kill('SIGKILL');
        await start.ended;
      }
      const system = await startSystem(dataDir, from);
      await eventually('it is ready', () => isReady(system), 60_000);
      system.child.kill('SIGTERM');
      expect(await system.ended).toBe(0);
      rmSync(dataDir, { recursive: true, force: true });
    }
  }, 600_000);
});

describe('[FLT-2.3] a program that logs', () => {
  it.each([
    ['is closed', (child: ChildProcess) => child.stdout?.destroy()],
    ['is never read', (child: ChildProcess) => child.stdout?.pause()],
  ])(
    'exits when its output %s',
    async (_what, cut) => {
      await ensureTestPrograms();
      const child = spawn(process.execPath, [testProgram('logging')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      await once(child.stdout, 'data');
      cut(child);
      // Long enough for lines to be written into what nobody reads.
      await sleep(500);
      child.kill('SIGTERM');
      expect(await ended).toEqual([7, null]);
    },
    60_000,
  );
});

/** Moments within what a first start takes, in milliseconds, the same for the same seed. */
function randomDelays(seed: number, count: number): number[] {
  let state = seed * 2_654_435_761;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 50 + (state % 5_000);
  });
}

import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '@/scripts/bootstrap/ports.mjs';
import { eventually } from './eventually';
import {
  environmentOf,
  expectNothingLeft,
  findPart,
  makeDataDir,
  type Part,
  pidOf,
  processesOf,
  type StartedSystem,
  serverOf,
  spawnOn,
  spawnStart,
  startSystem,
} from './started-system';

const parts: Part[] = ['demo', 'web', 'worker', 'runner'];

describe('[SAS-7.1] npm start', () => {
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

  it('answers, and prints the address and the demo account last', async () => {
    expect((await fetch(`${system.address}/healthz`)).status).toBe(200);
    const file = readFileSync(path.join(dataDir, 'demo-account.json'), 'utf8');
    const account = JSON.parse(file) as { email: string; password: string };
    expect(system.output().trimEnd().split('\n').slice(-5)).toEqual([
      `  Address   ${system.address}`,
      `  E-mail    ${account.email}`,
      `  Password  ${account.password}`,
      '',
      'Press Ctrl-C to stop.',
    ]);
  });

  it('runs web, worker, runner and the demo service', () => {
    expect(parts.filter((part) => !findPart(dataDir, part))).toEqual([]);
  });

  it('gives no process the owner’s login, and the runner none but its own', () => {
    for (const part of parts) {
      const environment = environmentOf(pidOf(dataDir, part));
      expect(JSON.stringify(environment), part).not.toContain('tierwatch_owner');
      if (part === 'web' || part === 'worker') continue;
      expect(Object.keys(environment)).not.toContain('TIERWATCH_SECRET_KEY');
      expect(JSON.stringify(environment)).not.toMatch(/tierwatch_(app|system)/);
    }
  });

  it('starts a worker and a runner again when they crash', async () => {
    for (const part of ['worker', 'runner'] as const) {
      const before = pidOf(dataDir, part);
      process.kill(before, 'SIGKILL');
      await eventually(`the ${part} runs again`, () => {
        const now = findPart(dataDir, part)?.pid;
        return now !== undefined && now !== before;
      });
    }
  });

  it('[FLT-2.2] is ready again after its PostgreSQL was killed', async () => {
    const server = serverOf(dataDir);
    if (!server) throw new Error('PostgreSQL does not run.');
    process.kill(server.pid, 'SIGKILL');
    await eventually('it runs again', () =>
      system.output().includes('PostgreSQL is running again.'),
    );
    const isReady = () => fetch(`${system.address}/readyz`).then(({ ok }) => ok);
    await eventually('the product is ready again', isReady);
  });

  it('refuses a second start on its data folder, and one on its port', async () => {
    const second = spawnStart(dataDir, await findFreePort());
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(
      `Another Tierwatch (process ${system.child.pid}) is using the data folder ${dataDir}`,
    );
    const otherDir = makeDataDir();
    const third = spawnStart(otherDir, Number(new URL(system.address).port));
    expect(await third.ended).toBe(1);
    expect(third.output()).toMatch(/Port \d+ on 127\.0\.0\.1 is taken/);
    rmSync(otherDir, { recursive: true, force: true });
    expect((await fetch(`${system.address}/healthz`)).status).toBe(200);
  });

  it.each(['start', 'test', 'bench'])('%s refuses an option that it doesn’t have', async (name) => {
    const otherDir = makeDataDir();
    const args = [`scripts/${name}.mjs`, '--data-dir', otherDir];
    const refused = spawnOn(otherDir, process.execPath, args, await findFreePort());
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain('There is no option --data-dir. npm ');
    rmSync(otherDir, { recursive: true, force: true });
  });

  it('leaves nothing behind when it is killed, and starts again on the same data', async () => {
    const account = readFileSync(path.join(dataDir, 'demo-account.json'), 'utf8');
    system.child.kill('SIGKILL');
    await system.ended;
    await expectNothingLeft(dataDir);
    system = await startSystem(dataDir);
    expect((await fetch(`${system.address}/healthz`)).status).toBe(200);
    expect(readFileSync(path.join(dataDir, 'demo-account.json'), 'utf8')).toBe(account);
  }, 240_000);

  it('stops everything on Ctrl-C and leaves nothing', async () => {
    system.child.kill('SIGINT');
    expect(await system.ended).toBe(0);
    expect(processesOf(dataDir)).toEqual([]);
    await expectNothingLeft(dataDir);
    expect(existsSync(path.join(dataDir, 'in-use.lock'))).toBe(false);
  });
});

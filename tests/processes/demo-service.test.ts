import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { breakDemo, findDemoServices, findDemoStatus } from '@/lib/projects/demo-service/client';
import { demoProjectConfig } from '@/lib/projects/demo-service/project-config';
import { demoControlSchema, demoServiceNames } from '@/lib/projects/demo-service/schema';
import { projectConfigSchema } from '@/lib/projects/schema';
import { runCheck, runServiceChecks } from '@/lib/protocol/checks/run-check';
import { checkSchema } from '@/lib/protocol/spec';
import { type RunningDemo, startDemo } from '@/tests/support/demo/service';

let demo: RunningDemo;

beforeEach(async () => {
  demo = await startDemo();
});

afterEach(() => demo.stop());

/** Runs the seeded project's own checks; the worst status by service. */
async function health(): Promise<Record<string, string>> {
  const services = await findDemoServices(demo.dataDir);
  if (!services) throw new Error('no services.json');
  const config = demoProjectConfig(services, 'open');
  const outcomes = (
    await Promise.all(config.services.map((each) => runServiceChecks(each)))
  ).flat();
  const worst: Record<string, string> = {};
  for (const { service, status } of outcomes) {
    if (!worst[service] || status !== 'healthy') worst[service] = status;
  }
  return worst;
}

it('starts healthy, with a project configuration that the product accepts', async () => {
  const services = await findDemoServices(demo.dataDir);
  expect(projectConfigSchema.parse(services && demoProjectConfig(services, 'open'))).toBeTruthy();
  expect(await health()).toEqual({ web: 'healthy', api: 'healthy', db: 'healthy' });
  expect(await demo.ctl('status')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^web: up, pid \d+$/m),
  });
});

it('a crash stays until web is restarted', async () => {
  expect(await breakDemo(demo.dataDir, 'crash')).toMatchObject({ ok: true });
  expect(await health()).toEqual({ web: 'down', api: 'healthy', db: 'healthy' });
  expect(await demo.ctl('status')).toMatchObject({
    code: 3,
    output: expect.stringContaining('web: down, ended by SIGKILL'),
  });
  expect(await demo.ctl('restart', 'web')).toMatchObject({ code: 0 });
  expect(await health()).toMatchObject({ web: 'healthy' });
});

it('a broken configuration is not repaired by a restart, only by a repair', async () => {
  expect(await demo.ctl('break', 'config')).toMatchObject({ code: 0 });
  expect(await health()).toMatchObject({ web: 'down' });
  expect(await demo.ctl('restart', 'web')).toMatchObject({
    code: 1,
    output: expect.stringContaining('configuration error in web.conf.json: "workers" must be'),
  });
  expect(await demo.ctl('repair-config', 'web')).toMatchObject({ code: 0 });
  expect(await health()).toMatchObject({ web: 'down' });
  expect(await demo.ctl('restart', 'web')).toMatchObject({ code: 0 });
  expect(await health()).toMatchObject({ web: 'healthy' });
});

it('takes orders only with the token, which only its owner can read', async () => {
  const control = demoControlSchema.parse(
    JSON.parse(await readFile(demo.paths.controlFile, 'utf8')),
  );
  const response = await fetch(`http://127.0.0.1:${control.port}/break/crash`, { method: 'POST' });
  expect(response.status).toBe(401);
  expect(await health()).toMatchObject({ web: 'healthy' });
  expect((await stat(demo.paths.controlFile)).mode & 0o777).toBe(0o600);
});

it('says what is wrong with a command', async () => {
  expect(await demo.ctl('restart')).toMatchObject({ code: 2 });
  expect(await demo.ctl('restart', 'cache')).toMatchObject({ code: 1 });
  expect(await demo.ctl('repair-config', 'db')).toMatchObject({ code: 1 });
});

it('its services end with a killed supervisor, and a new start keeps the ports', async () => {
  const services = await findDemoServices(demo.dataDir);
  await demo.stop({ signal: 'SIGKILL', remove: false });
  await vi.waitFor(async () => {
    for (const name of demoServiceNames) {
      const isAlive = checkSchema.parse({ type: 'process', target: demo.paths.pidFile(name) });
      expect(await runCheck(isAlive, name)).toMatchObject({ status: 'down' });
    }
  }, 10_000);
  expect(await findDemoStatus(demo.dataDir)).toBeNull();
  expect(await breakDemo(demo.dataDir, 'crash')).toMatchObject({ ok: false });
  demo = await startDemo(demo.dataDir);
  expect(await findDemoServices(demo.dataDir)).toEqual(services);
  expect(await health()).toMatchObject({ web: 'healthy' });
});

it('a service whose port is taken moves, and its former place is kept', async () => {
  await demo.stop({ remove: false });
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const before = await findDemoServices(demo.dataDir);
  if (before) before.web.port = port;
  await writeFile(demo.paths.servicesFile, JSON.stringify(before));
  try {
    demo = await startDemo(demo.dataDir);
  } finally {
    taken.close();
  }
  const now = await findDemoServices(demo.dataDir);
  const { former: _none, ...place } = before?.web ?? { former: [] };
  expect(now?.web.port).not.toBe(before?.web.port);
  expect(now?.web.former).toEqual([place]);
  expect(now?.api).toEqual(before?.api);
});

it('a second supervisor of the same folder does not start', async () => {
  const services = await findDemoServices(demo.dataDir);
  await expect(startDemo(demo.dataDir)).rejects.toThrow('ended with 1');
  expect(await findDemoServices(demo.dataDir)).toEqual(services);
  expect(await health()).toMatchObject({ web: 'healthy' });
});

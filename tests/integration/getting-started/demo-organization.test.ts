/** The seeded demo organization: workers that start at once, and where its runner's key is. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refreshDemo, seedDemo } from '@/lib/fleet/demo-organization';
import { scopeOfRunner, scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { env } from '@/lib/platform/env';
import { findDemoServices } from '@/lib/projects/demo-service/client';
import {
  type DemoServiceName,
  type DemoServices,
  demoPaths,
} from '@/lib/projects/demo-service/schema';
import { saveProject } from '@/lib/projects/manage-project';
import { getCurrentProject } from '@/lib/projects/versions';
import { useTestDatabase } from '@/tests/support/database';
import { formerPlaces } from '@/workers/demo-service/ports';

useTestDatabase();

let dir = '';
let before = '';
const runnerKey = (folder: string) => readFile(path.join(dir, folder, 'runner-key'), 'utf8');
let scope: TenantScope;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'demo-organization-'));
  before = env().dataDir;
  Object.assign(env(), { dataDir: dir });
  await moveServices(4_001);
  await seedDemo(path.join(dir, 'runner'), 'open');
  const { organizationId } = await scopeOfRunner((await runnerKey('runner')).trim());
  scope = scopeOfSystem(organizationId);
});
afterAll(async () => {
  Object.assign(env(), { dataDir: before });
  await rm(dir, { recursive: true, force: true });
});

/** As the demo service does when it starts. */
async function moveServices(port: number): Promise<void> {
  const paths = demoPaths(dir);
  await mkdir(paths.dir, { recursive: true });
  const last = await findDemoServices(dir);
  const at = (name: DemoServiceName, offset: number) => {
    const place = { port: port + offset, pidFile: paths.pidFile(name) };
    return { ...place, former: formerPlaces(last?.[name], place) };
  };
  const services: DemoServices = { web: at('web', 0), api: at('api', 1), db: at('db', 2) };
  await writeFile(paths.servicesFile, JSON.stringify(services));
}

const current = () => getCurrentProject(scope, 'checkout');

it('[FLT-2.2] a start whose demo services kept their ports saves no version', async () => {
  await refreshDemo();
  expect((await current()).version).toBe(1);
});

it('[INC-1.2] the demo checks without an agent, so that what is broken becomes an incident', async () => {
  const { config } = await current();
  expect(config.monitoring).toEqual({ everySeconds: 30, failures: 2, lastResults: 3 });
  expect(config.startOn).toEqual({ checkChange: true, alert: true });
});

it('[FLT-2.2] workers that start at once save the moved services in one version', async () => {
  await moveServices(5_001);
  await Promise.all([refreshDemo(), refreshDemo(), refreshDemo(), refreshDemo()]);
  const { version, config } = await current();
  expect(version).toBe(2);
  expect(config.services[0]?.checks[0]?.target).toBe('http://127.0.0.1:5001/health');
});

it('a check that a person has added to the demo stays when its services move', async () => {
  const { id: projectId, version, config } = await current();
  const added = {
    type: 'http' as const,
    target: 'http://127.0.0.1:9000/health',
    timeoutSeconds: 5,
  };
  const [web, ...others] = config.services;
  if (!web) throw new Error('The demo has no service.');
  const services = [{ ...web, checks: [added, ...web.checks] }, ...others];
  await saveProject(scope, {
    ...{ projectId, baseVersion: version, name: 'Checkout', slug: 'checkout', note: '' },
    config: { ...config, services },
  });
  await refreshDemo();
  expect(await current()).toMatchObject({ version: version + 1, config: { services } });
  await moveServices(6_001);
  await refreshDemo();
  const moved = (await current()).config.services[0]?.checks.map(({ target }) => target);
  expect(moved).toEqual([
    'http://127.0.0.1:9000/health',
    'http://127.0.0.1:6001/health',
    demoPaths(dir).pidFile('web'),
  ]);
});

it('[FLT-2.2] a runner in another folder gets its key there, and the account stays', async () => {
  const account = await readFile(path.join(dir, 'demo-account.json'), 'utf8');
  const old = (await runnerKey('runner')).trim();
  await seedDemo(path.join(dir, 'elsewhere'), 'open');
  const key = (await runnerKey('elsewhere')).trim();
  expect((await scopeOfRunner(key)).organizationId).toBe(scope.organizationId);
  await expect(scopeOfRunner(old)).rejects.toThrow();
  await seedDemo(path.join(dir, 'elsewhere'), 'open');
  expect((await runnerKey('elsewhere')).trim()).toBe(key);
  expect(await readFile(path.join(dir, 'demo-account.json'), 'utf8')).toBe(account);
});

/** A real runner process that runs the checks of a project against a real service. */
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { assignCheckers } from '@/lib/monitoring/sweep';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { type Cast, makeCast, testConfig } from '@/tests/support/cast/organization';
import { useTestDatabase } from '@/tests/support/database';
import {
  type RunnerProcess,
  startRunnerProcess,
} from '@/tests/support/fake-control-plane/runner-process';
import '@/tests/support/subscriptions';
import { type ApiServer, startApiServer } from '../api/support/server';

useTestDatabase();

const PATIENTLY = { timeout: 90_000, interval: 200 };

let dir: string;
let server: ApiServer;
let service: Server;
let cast: Cast;
let runner: RunnerProcess;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'tw-checks-'));
  service = createServer((_request, response) => response.end('well')).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const address = service.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  server = await startApiServer('runner/v1');
  const target = `http://127.0.0.1:${port}/`;
  const [observe, ...others] = testConfig().tiers;
  cast = await makeCast({
    services: [
      { name: 'web', checks: [{ type: 'http', target, timeoutSeconds: 5 }] },
      { name: 'allowed', checks: [{ type: 'command', target: 'df -P /', timeoutSeconds: 20 }] },
      { name: 'denied', checks: [{ ...touch('denied'), isAllowedByOwner: true }] },
      { name: 'unnamed', checks: [{ type: 'command', target: 'ss -tln', timeoutSeconds: 20 }] },
    ],
    tiers: [
      { ...observe, allowedTools: ['Bash(df:*)'], disallowedTools: ['Bash(touch:*)'] },
      ...others,
    ],
    monitoring: { everySeconds: 30, failures: 1, lastResults: 1 },
  });
  runner = startRunnerProcess({
    TIERWATCH_URL: server.url,
    TIERWATCH_RUNNER_KEY: cast.runnerKey,
    TIERWATCH_RUNNER_DIR: path.join(dir, 'runner'),
    TIERWATCH_RUNNER_GRACE_SECONDS: '0',
  });
});

afterAll(async () => {
  await runner?.kill('SIGTERM');
  await server?.close();
  service?.closeAllConnections();
  service?.close();
  await rm(dir, { recursive: true, force: true });
});

/** A command whose run leaves a file. */
function touch(name: string) {
  return { type: 'command' as const, target: `touch ${path.join(dir, name)}`, timeoutSeconds: 20 };
}

const web = () => checkOf('web');

function checkOf(name: string) {
  return inTransaction(cast.alice, (db) =>
    db.serviceCheck.findFirst({
      where: { service: { name } },
      include: { service: true, results: { orderBy: { at: 'asc' } } },
    }),
  );
}

it('[INC-1.1] runs commands as tier 1’s rules say, and nothing that they forbid', async () => {
  await vi.waitFor(async () => {
    await assignCheckers();
    for (const name of ['allowed', 'denied', 'unnamed']) {
      expect((await checkOf(name))?.lastStatus, runner.output()).not.toBeNull();
    }
  }, PATIENTLY);
  expect(await checkOf('allowed')).toMatchObject({ lastStatus: 'healthy', lastError: '' });
  expect(await checkOf('denied')).toMatchObject({
    ...{ lastStatus: 'unknown', lastError: 'Not run: tier 1’s rule Bash(touch:*) denies it.' },
  });
  expect(await checkOf('unnamed')).toMatchObject({
    ...{ lastStatus: 'unknown', lastError: expect.stringContaining('No rule of this tier names') },
  });
  expect(await readdir(dir)).not.toContain('denied');
});

it('[INC-1.1] runs the checks that it is given, and says what it finds, until the service is down', async () => {
  await vi.waitFor(async () => {
    await assignCheckers();
    expect((await web())?.service.status, runner.output()).toBe('healthy');
  }, PATIENTLY);
  expect((await web())?.results[0]).toMatchObject({ status: 'healthy', error: '' });
  expect((await web())?.lastResponseMs).toBeGreaterThanOrEqual(0);

  service.closeAllConnections();
  service.close();
  await vi.waitFor(async () => {
    expect((await web())?.service.status, runner.output()).toBe('down');
  }, PATIENTLY);
  expect((await web())?.lastError).toBe('Connection refused.');
  const [incident] = await inTransaction(cast.alice, (db) =>
    db.incident.findMany({ include: { services: true } }),
  );
  expect(incident).toMatchObject({ state: 'open', services: [{ name: 'web', status: 'down' }] });
});

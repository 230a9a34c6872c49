/** Pings of jobs through the product’s own processes, and what its page says about them. */
import { beforeAll, expect, it } from 'vitest';
import { listPingChecks } from '@/lib/monitoring/manage-ping-checks';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { eventually } from '../bootstrap/eventually';
import { createProject } from '../support/system/chain-run';
import { useSharedSystem } from '../support/system/use-system';
import { openWebSession } from './support/web-session';

const system = useSharedSystem();

let path: string;
beforeAll(async () => {
  await createProject(system.api, {
    name: 'Backups',
    schedule: { kind: 'manual', timeZone: 'UTC' },
    monitoring: { everySeconds: 60, failures: 1, lastResults: 1 },
    services: [
      { name: 'backup', checks: [{ type: 'heartbeat', target: 'nightly', timeoutSeconds: 5 }] },
    ],
  });
  const { url } = await eventually('it has a URL', async () => (await heartbeats())[0]);
  if (url.kind !== 'shown') throw new Error(`The URL is ${url.kind}.`);
  path = new URL(url.url).pathname;
});

function heartbeats() {
  return inTransaction(system.account.scope, async (db) => {
    const { id } = await db.service.findFirstOrThrow({ where: { name: 'backup' } });
    return listPingChecks(db, system.account.scope, id, new Date());
  });
}

const status = () =>
  inTransaction(system.account.scope, async (db) => (await db.service.findFirst())?.status);

function ping(signal = '', method = 'GET', token = path): Promise<Response> {
  return fetch(`${system.url}${token}${signal}`, { method, redirect: 'manual' });
}

it.each(['GET', 'POST'])('[INC-1.1] a job pings by %s', async (method) => {
  const before = (await heartbeats())[0]?.lastPingAt ?? new Date(0);
  const response = await ping('', method);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('OK\n');
  expect((await heartbeats())[0]?.lastPingAt?.getTime()).toBeGreaterThan(before.getTime());
});

it.each(['/', '//', '/?rid=7', '%0D', '%20', '%20/', '//0//', '%0D%0A/0%20'])(
  '[SIG-2.4] a URL with %j at its end is a ping, without a redirect',
  async (ending) => {
    const before = (await heartbeats())[0]?.lastPingAt ?? new Date(0);
    const response = await ping(ending);
    expect([response.status, await response.text()]).toEqual([200, 'OK\n']);
    expect((await heartbeats())[0]?.lastPingAt?.getTime()).toBeGreaterThan(before.getTime());
  },
);

it('[SIG-2.4] slashes before the token are no redirect either', async () => {
  const response = await ping('', 'POST', path.replace('/api/', '//api//'));
  expect(response.status).toBe(200);
});

it.each(['/log', '/log/'])('[SIG-2.4] %s stores nothing', async (ending) => {
  const before = (await heartbeats())[0]?.lastPingAt;
  const response = await ping(ending, 'POST');
  expect([response.status, await response.text()]).toEqual([200, 'OK\n']);
  expect((await heartbeats())[0]?.lastPingAt).toEqual(before);
});

it('[INC-1.1] HEAD, as link previews and crawlers send it, is no ping', async () => {
  const before = (await heartbeats())[0]?.lastPingAt;
  const response = await ping('', 'HEAD');
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  expect((await heartbeats())[0]?.lastPingAt).toEqual(before);
});

it('[INC-1.1] a stranger’s token is answered 404, and never redirected to the sign-in page', async () => {
  for (const signal of ['', '/fail']) {
    const response = await ping(signal, 'GET', `${path.slice(0, -1)}_`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('json');
  }
});

it('[INC-1.1] the worker judges pings without any runner, and the page shows them', async () => {
  await ping();
  await eventually('it is healthy', async () => (await status()) === 'healthy');
  await ping('/3');
  await eventually('it is down', async () => (await status()) === 'down');
  const session = await openWebSession(system.url, system.account);
  const { text } = await session.get(
    `/${session.organizationSlug}/projects/backups/services/backup`,
  );
  for (const shown of [
    `curl -fsS -m 10 --retry 5 -o /dev/null ${system.url}${path}`,
    ...['Next deadline', 'The job reported exit code 3.', 'In the last 24 h: 1 hour with failures'],
  ]) {
    expect(text).toContain(shown);
  }
});

it('[INC-1.1] no log of the processes has the token', async () => {
  expect(system.web.output()).not.toContain(path.split('_').at(-1));
});

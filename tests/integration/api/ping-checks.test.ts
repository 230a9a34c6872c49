/** Heartbeats by the REST API: what is listed, who sees the URL, and how it changes. */
import { beforeAll, expect, it } from 'vitest';
import type { TokenScope } from '@/lib/identity/token-scopes';
import { pingCheckDtoSchema } from '@/lib/monitoring/ping-schema';
import { receivePing } from '@/lib/monitoring/receive-ping';
import { assignCheckers } from '@/lib/monitoring/sweep';
import { useTestDatabase } from '@/tests/support/database';
import '@/tests/support/subscriptions';
import { type Api, openApi } from './support/api';
import { makeTenant, type Tenant } from './support/tenant';

useTestDatabase();

let api: Api;
let own: Tenant;
let stranger: Tenant;
beforeAll(async () => {
  api = await openApi();
  own = await makeTenant('Own');
  stranger = await makeTenant('Stranger');
  const token = await own.token('all');
  const beat = (target: string, more: object = {}) => ({ type: 'heartbeat', target, ...more });
  const made = await api('POST', 'projects', {
    token,
    body: {
      name: 'Backups',
      schedule: { kind: 'manual', timeZone: 'UTC' },
      monitoring: { everySeconds: 60, failures: 2, lastResults: 3 },
      services: [
        { name: 'files', checks: [beat('nightly', { periodSeconds: 600, isPostOnly: true })] },
        { name: 'mail', checks: [beat('nightly'), beat('weekly')] },
      ],
    },
  });
  expect(made.status).toBe(201);
  await assignCheckers();
});

async function list(query = '', ...scopes: TokenScope[]) {
  const token = await own.token(...(scopes.length > 0 ? scopes : (['projects:write'] as const)));
  const response = await api('GET', `projects/backups/heartbeats${query}`, { token });
  expect(response.status).toBe(200);
  const { data } = await response.json();
  return pingCheckDtoSchema.array().parse(data);
}

async function first() {
  const [found] = await list('?service=files');
  if (!found) throw new Error('The service has no heartbeat.');
  return found;
}

/** @returns the response’s status and body */
async function change(
  act: 'rotate' | 'revoke',
  body: object,
  { tenant = own, scope = 'projects:write' as TokenScope, id = '' } = {},
) {
  const token = await tenant.token(scope);
  const heartbeatId = id || (await first()).id;
  const path = `projects/backups/heartbeats/${heartbeatId}/${act}`;
  const response = await api('POST', path, { token, body });
  return { status: response.status, body: await response.json() };
}

const isAccepted = (url: string | null) =>
  receivePing(
    url?.split('/').at(-1) ?? '',
    { kind: 'end', exitCode: 0, at: new Date() },
    'POST',
  ).then(
    () => true,
    () => false,
  );

it('[INC-1.1] lists the heartbeats of a project or service, with state, last ping and next deadline', async () => {
  const before = await list();
  expect(before.map(({ service, name }) => `${service} ${name}`)).toEqual([
    ...['files nightly', 'mail nightly', 'mail weekly'],
  ]);
  const [files] = before;
  expect(files).toMatchObject({ state: 'waiting', lastPingAt: null, nextDueAt: null });
  expect(files).toMatchObject({ periodSeconds: 600, graceSeconds: 3_600, isPostOnly: true });
  expect(await isAccepted(files?.url ?? null)).toBe(true);
  const after = await first();
  expect(after.state).toBe('up');
  expect(Date.parse(after.nextDueAt ?? '') - Date.parse(after.lastPingAt ?? '')).toBe(4_200_000);
  expect((await list('?service=mail')).map(({ name }) => name)).toEqual(['nightly', 'weekly']);
  expect(await list('?service=none')).toEqual([]);
});

it.each<[TokenScope[], boolean]>([
  [['projects:read'], false],
  // The role of its maker, but nothing that changes projects.
  [['projects:read', 'channels:write'], false],
  [['projects:write'], true],
  [['all'], true],
])('[INC-1.1] shows the URL to a token with %j: %s', async (scopes, isShown) => {
  const urls = (await list('', ...scopes)).map(({ url }) => url);
  expect(urls.map((url) => url !== null)).toEqual([isShown, isShown, isShown]);
});

it('[INC-1.1] rotates and revokes the URL, and answers with the new one', async () => {
  const { url: leaked } = await first();
  const rotated = await change('rotate', {});
  expect(rotated.status).toBe(200);
  expect(rotated.body.url).not.toBe(leaked);
  expect(Date.parse(rotated.body.previousUrlUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  expect(await change('rotate', {})).toMatchObject({ status: 409 });
  expect([await isAccepted(leaked), await isAccepted(rotated.body.url)]).toEqual([true, true]);
  expect(await change('revoke', { url: 'previous' })).toMatchObject({
    ...{ status: 200, body: { url: rotated.body.url, previousUrlUntil: null } },
  });
  expect([await isAccepted(leaked), await isAccepted(rotated.body.url)]).toEqual([false, true]);
  expect(await change('revoke', { url: 'previous' })).toMatchObject({ status: 409 });
  const revoked = await change('revoke', { url: 'all' });
  expect(await isAccepted(rotated.body.url)).toBe(false);
  expect(await isAccepted(revoked.body.url)).toBe(true);
  expect(await change('revoke', {})).toMatchObject({ status: 422 });
});

it('[SAS-1.3] answers another tenant’s token 404, one that may only read 403, and changes nothing', async () => {
  const { id, url } = await first();
  const token = await stranger.token('all');
  expect((await api('GET', 'projects/backups/heartbeats', { token })).status).toBe(404);
  // Also below a project of the same slug, which is the stranger's own.
  for (const name of ['Other', 'Backups']) {
    await api('POST', 'projects', { token, body: { name } });
    for (const [act, body] of [
      ['rotate', {}],
      ['revoke', { url: 'all' }],
    ] as const) {
      const asStranger = { tenant: stranger, scope: 'all' as const, id };
      expect(await change(act, body, asStranger)).toMatchObject({ status: 404 });
      expect(await change(act, body, { scope: 'projects:read' })).toMatchObject({ status: 403 });
    }
  }
  expect((await first()).url).toBe(url);
});

it('[INC-1.1] finds a heartbeat below its own project alone', async () => {
  const token = await own.token('all');
  const { id, url } = await first();
  await api('POST', 'projects', { token, body: { name: 'Second' } });
  const response = await api('POST', `projects/second/heartbeats/${id}/revoke`, {
    ...{ token, body: { url: 'all' } },
  });
  expect(response.status).toBe(404);
  expect((await first()).url).toBe(url);
});

/** The operator's Apprise server sends for every tenant: none may steer it, or read what it says. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealSettings } from '@/lib/deliveries/channels/data';
import {
  createChannel,
  listChannels,
  updateChannel,
} from '@/lib/deliveries/channels/manage-channels';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { InvalidError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids';
import { useTestDatabase } from '@/tests/support/database';
import {
  type Answer,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { makeTenant } from '../api/support/tenant';
import { chainEnd, readDelivery, sendersFor, tellAndSend } from './support';

useTestDatabase();

let apprise: WebhookReceiver;
beforeAll(async () => {
  apprise = await startWebhookReceiver();
  process.env.APPRISE_URL = new URL(apprise.url).origin;
});
afterAll(() => apprise.close());

const SLACK = 'slack://TokenA/TokenB/TokenC/#ops';
const INTERNAL = [
  'json://169.254.169.254/latest',
  'json://127.0.0.1:6379/',
  'xml://10.0.0.5:2375/',
  'gotify://rebind.evil.example/token',
  'slack://a/b/c,json://10.0.0.5/',
];

function settingsOf(given: { serverUrl?: string; urls?: string[]; configKey?: string }) {
  const { serverUrl = null, urls = [], configKey = null } = given;
  return { kind: 'apprise' as const, serverUrl, urls, configKey, tags: null };
}

function addChannel(scope: TenantScope, given: Parameters<typeof settingsOf>[0]) {
  return createChannel(scope, {
    name: 'Pager',
    settings: settingsOf(given),
    outcomes: ['needs_human'],
    eventTypes: [],
    projectId: null,
  });
}

/** Settings that an earlier version accepted. */
async function storeSettings(scope: TenantScope, given: Parameters<typeof settingsOf>[0]) {
  const channel = await addChannel(scope, { urls: [SLACK] });
  const id = requireId('ntc', channel.id);
  const settingsSealed = sealSettings(settingsOf(given), id);
  await inTransaction(scope, (db) =>
    db.notificationChannel.updateMany({ where: { id }, data: { settingsSealed } }),
  );
}

async function sendOne(scope: TenantScope) {
  const [id = ''] = await tellAndSend(scope, chainEnd('needs_human'), sendersFor(null));
  return readDelivery(scope, id);
}

const refusedField = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'accepted',
      (error: unknown) => (error instanceof InvalidError ? Object.keys(error.fields) : error),
    );

describe('the operator’s Apprise server', () => {
  it('[SEC-3.1] is given URLs of vendors', async () => {
    const { scope } = await makeTenant();
    await addChannel(scope, { urls: [SLACK] });
    apprise.answerWith({ status: 200, body: '{"error":null}' });
    expect(await sendOne(scope)).toMatchObject({ status: 'delivered' });
    expect(JSON.parse(String(apprise.received.at(-1)?.rawBody))).toMatchObject({ urls: SLACK });
  });

  it('[SEC-3.1] gets no channel with another target or a stored configuration', async () => {
    const { scope } = await makeTenant();
    for (const url of INTERNAL)
      expect(await refusedField(() => addChannel(scope, { urls: [SLACK, url] })), url).toEqual([
        'settings.urls',
      ]);
    const own = new URL(apprise.url);
    const names = [undefined, own.origin, `http://localhost:${own.port}/`, `${own.origin}/notify`];
    for (const serverUrl of names)
      expect(
        await refusedField(() =>
          addChannel(scope, { ...(serverUrl && { serverUrl }), configKey: 'ops' }),
        ),
        serverUrl,
      ).toEqual(['settings.configKey']);
    expect(await listChannels(scope)).toEqual([]);
    const { id } = await addChannel(scope, { urls: [SLACK] });
    const settings = settingsOf({ configKey: 'other-tenant' });
    expect(await refusedField(() => updateChannel(scope, id, { settings }))).toEqual([
      'settings.configKey',
    ]);
  });

  it('[SEC-3.1] isn’t asked for what an earlier version stored, either', async () => {
    const stored = [...INTERNAL.map((url) => ({ urls: [url] })), { configKey: 'other-tenant' }];
    for (const settings of stored) {
      const { scope } = await makeTenant();
      await storeSettings(scope, settings);
      const before = apprise.received.length;
      const delivery = await sendOne(scope);
      expect(delivery, JSON.stringify(settings)).toMatchObject({
        status: 'refused',
        log: [{ error: 'target_not_allowed' }],
      });
      expect(apprise.received).toHaveLength(before);
    }
  });

  it('[SEC-3.2] says nothing about its network or other tenants to this one', async () => {
    const answers: Answer[] = [
      {
        status: 424,
        body: 'json://10.9.8.7 refused, canary-tenant',
        headers: { server: 'canary' },
      },
      { status: 500, body: 'canary', headers: { 'x-host': 'canary' } },
      { status: 200, body: 'canary' },
      { kind: 'reset' },
    ];
    for (const answer of answers) {
      const { scope } = await makeTenant();
      await addChannel(scope, { urls: [SLACK] });
      apprise.answerWith(answer);
      const { log } = await sendOne(scope);
      expect(log).toHaveLength(1);
      const seen = JSON.stringify([log, await listChannels(scope)]);
      expect(seen).not.toMatch(/canary|10\.9\.8\.7|127\.0\.0\.1/);
    }
  });
});

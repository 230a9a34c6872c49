/** The path of a webhook URL is often the receiver's whole secret: whoever has it can post there. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  getEndpoint,
  listEndpoints,
  sealStoredUrls,
  updateEndpoint,
} from '@/lib/deliveries/endpoints/manage-endpoints';
import { createEndpointSchema } from '@/lib/deliveries/endpoints/schema';
import { nameAuditTargets } from '@/lib/insight/audit-targets';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import { useTestDatabase } from '@/tests/support/database';
import { deliverWebhook } from '@/tests/support/deliver-webhook';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { makeEndpoint, scheduleOne, stateOf } from './scheduled';

useTestDatabase();

const PATH = 'services/T0AAAAAAA/B0BBBBBBB/zZ9yXcanaryPathSecret';
const QUERY = 'canaryQuerySecret%2Fx';
const client = createOutboundClient({ allowPrivate: true });
let receiver: WebhookReceiver;
let url: string;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  url = `${new URL(receiver.url).origin}/${PATH}?token=${QUERY}`;
});
afterAll(() => receiver.close());

const as = (scope: TenantScope, role: TenantScope['role']): TenantScope => ({ ...scope, role });

/** Everything of the organization that could hold a copy. */
async function storedText(scope: TenantScope): Promise<string> {
  const rows = await inTransaction(scope, async (db) => [
    await db.webhookEndpoint.findMany(),
    await db.webhookDelivery.findMany(),
    await db.webhookAttempt.findMany(),
    await db.auditLog.findMany(),
    await db.sessionEvent.findMany(),
  ]);
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** Stores the URL as the version before did. */
function storeInClear(scope: TenantScope, plain: string) {
  return inTransaction(scope, (db) =>
    db.webhookEndpoint.updateMany({ data: { url: plain, urlSealed: null } }),
  );
}

async function deliveredPath(scope: TenantScope, occasion: string): Promise<string | undefined> {
  await deliverWebhook(scope, await scheduleOne(scope, occasion), new Date(), client);
  return receiver.received.at(-1)?.path;
}

describe('a webhook URL', () => {
  it('[SEC-3.2] is stored encrypted, is in no audit entry, and still receives', async () => {
    const { scope, endpoint } = await makeEndpoint(url);
    const next = url.replace('canaryPath', 'canaryNext');
    await updateEndpoint(scope, endpoint.id, { url: next });
    await updateEndpoint(scope, endpoint.id, { isEnabled: false });
    await updateEndpoint(scope, endpoint.id, { isEnabled: true });
    expect(await deliveredPath(scope, 'a')).toBe(new URL(next).pathname + new URL(next).search);
    const text = await storedText(scope);
    expect(text).toContain(new URL(url).host);
    expect(text).toContain('isUrlReplaced');
    expect(text).not.toMatch(/canary|B0BBBBBBB/);
  });

  it('[SEC-3.2] is shown whole to admins, and without its secrets to everyone below', async () => {
    const { scope, endpoint } = await makeEndpoint(url);
    expect(endpoint.url).toBe(url);
    for (const role of ['owner', 'admin'] as const)
      expect((await getEndpoint(as(scope, role), endpoint.id)).url).toBe(url);
    for (const role of ['operator', 'viewer'] as const) {
      const seen = [
        await getEndpoint(as(scope, role), endpoint.id),
        await listEndpoints(as(scope, role), { limit: 10 }),
        [...(await nameAuditTargets(as(scope, role), [endpoint.id]))],
      ];
      expect(seen[0]).toMatchObject({ url: `${new URL(url).origin}/••••` });
      expect(JSON.stringify(seen), role).not.toMatch(/canary|B0BBBBBBB/);
    }
  });

  it('[SEC-3.2] that is masked can’t be saved over the one it stands for', () => {
    const schema = createEndpointSchema({ allowPrivate: false });
    const input = { url: 'https://hooks.example.com/••••', eventTypes: ['chain.completed'] };
    expect(schema.safeParse(input).error?.issues[0]?.message).toContain('masked');
  });

  it('[SEC-3.2] repeated by an error page is masked in the log', async () => {
    const { scope } = await makeEndpoint(url);
    const { pathname, search } = new URL(url);
    receiver.answerWith({
      status: 404,
      body: `Cannot POST ${pathname}${search} (zZ9yXcanaryPathSecret, ${decodeURIComponent(QUERY)})`,
      headers: { 'x-path': pathname },
    });
    const id = await scheduleOne(scope, 'echo');
    await deliverWebhook(scope, id, new Date(), client);
    const { log } = await stateOf(as(scope, 'viewer'), id);
    expect(log[0]).toMatchObject({ status: 404, responseExcerpt: 'Cannot POST •••• (••••, ••••)' });
    expect(log[0]?.responseHeaders).toMatchObject({ 'x-path': '••••' });
    expect(await storedText(scope)).not.toMatch(/canary|B0BBBBBBB/);
  });
});

describe('a webhook URL of an earlier version', () => {
  it('[SEC-3.2] works, is masked, and is encrypted by the next worker', async () => {
    const { scope, endpoint } = await makeEndpoint(url);
    await storeInClear(scope, url);
    expect((await getEndpoint(scope, endpoint.id)).url).toBe(url);
    const viewed = await getEndpoint(as(scope, 'viewer'), endpoint.id);
    expect(viewed.url).not.toContain('canary');
    const path = `/${PATH}?token=${QUERY}`;
    expect(await deliveredPath(scope, 'before')).toBe(path);
    await Promise.all([sealStoredUrls(), sealStoredUrls()]);
    expect(await storedText(scope)).not.toContain('canary');
    expect((await getEndpoint(scope, endpoint.id)).url).toBe(url);
    expect(await deliveredPath(scope, 'after')).toBe(path);
  });

  it('[SEC-3.2] that such a process saves during an upgrade is the one that counts', async () => {
    const { scope, endpoint } = await makeEndpoint(url);
    const later = new URL('/later/canaryOfTheOldProcess', receiver.url).href;
    await inTransaction(scope, (db) => db.webhookEndpoint.updateMany({ data: { url: later } }));
    expect((await getEndpoint(scope, endpoint.id)).url).toBe(later);
    await sealStoredUrls();
    expect((await getEndpoint(scope, endpoint.id)).url).toBe(later);
    expect(await deliveredPath(scope, 'later')).toBe('/later/canaryOfTheOldProcess');
    expect(await storedText(scope)).not.toContain('canary');
  });

  it('[SEC-3.2] can’t be read from the row of another endpoint', async () => {
    const { scope, endpoint } = await makeEndpoint(url);
    const other = await makeEndpoint(receiver.url);
    const [row] = await inTransaction(scope, (db) => db.webhookEndpoint.findMany());
    await inTransaction(other.scope, (db) =>
      db.webhookEndpoint.updateMany({ data: { urlSealed: row?.urlSealed ?? '' } }),
    );
    const seen = await getEndpoint(other.scope, other.endpoint.id);
    expect(seen.url).not.toContain('canary');
    expect((await getEndpoint(scope, endpoint.id)).url).toBe(url);
  });
});

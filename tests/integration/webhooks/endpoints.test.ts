import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  getEndpoint,
  listEndpoints,
  rotateSecret,
} from '@/lib/deliveries/endpoints/manage-endpoints';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import { useTestDatabase } from '@/tests/support/database';
import { deliverWebhook } from '@/tests/support/deliver-webhook';
import {
  startWebhookReceiver,
  verifyReceived,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { makeTenant } from '../api/support/tenant';
import { makeEndpoint, scheduleOne } from './scheduled';

useTestDatabase();

const client = createOutboundClient({ allowPrivate: true });
const DAY_MS = 86_400_000;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

describe('a webhook endpoint', () => {
  it('[SAS-5.1] during a rotation verifies with the old and the new secret, then with the new', async () => {
    const { scope, endpoint } = await makeEndpoint(receiver.url);
    const now = new Date();
    const { secret } = await rotateSecret(scope, endpoint.id, now);
    expect(secret).not.toBe(endpoint.secret);
    const send = async (occasion: string, at: Date) => {
      await deliverWebhook(scope, await scheduleOne(scope, occasion, at), at, client);
      const request = receiver.received.at(-1);
      if (!request) throw new Error('Nothing arrived.');
      return request;
    };
    const during = await send('a', now);
    expect(verifyReceived(during, secret)).toBeTruthy();
    expect(verifyReceived(during, endpoint.secret)).toBeTruthy();
    const after = await send('b', new Date(now.getTime() + DAY_MS));
    expect(after.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('is not for viewers to change, and not there for others', async () => {
    const { scope, endpoint } = await makeEndpoint(receiver.url);
    const viewer = { ...scope, role: 'viewer' as const };
    expect(() => rotateSecret(viewer, endpoint.id)).toThrow(ForbiddenError);
    const { scope: stranger } = await makeTenant();
    await expect(getEndpoint(stranger, endpoint.id)).rejects.toThrow(NotFoundError);
    await expect(rotateSecret(stranger, endpoint.id)).rejects.toThrow(NotFoundError);
    expect(await listEndpoints(stranger, { limit: 10 })).toEqual({ data: [], nextCursor: null });
  });

  it('never shows or stores its secret in the clear', async () => {
    const { scope, endpoint } = await makeEndpoint(receiver.url);
    const row = await inTransaction(scope, (db) => db.webhookEndpoint.findFirst({}));
    expect(JSON.stringify(row)).not.toContain(endpoint.secret.slice(6));
    const audit = await inTransaction(scope, (db) => db.auditLog.findMany({}));
    const text = JSON.stringify(audit.map((entry) => entry.detail));
    expect(text).toContain(new URL(receiver.url).host);
    expect(text).not.toContain(endpoint.secret.slice(6));
    expect(JSON.stringify(await listEndpoints(scope, { limit: 10 }))).not.toContain('whsec_');
  });
});

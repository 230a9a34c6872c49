/** Who copies the receiver of docs/webhooks.md gets what Tierwatch sends, and nothing else. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createEndpoint,
  rotateSecret,
  updateEndpoint,
} from '@/lib/deliveries/endpoints/manage-endpoints';
import { mintSigningSecret, signWebhook } from '@/lib/deliveries/endpoints/signing';
import { sendTestEvent } from '@/lib/deliveries/manage-deliveries';
import { requireId } from '@/lib/platform/ids';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import { useTestDatabase } from '@/tests/support/database';
import { deliverWebhook } from '@/tests/support/deliver-webhook';
import {
  type ReceiverOfDocs,
  startReceiverOfDocs,
} from '@/tests/support/webhook-receiver/receiver-of-docs';
import { makeTenant, type Tenant } from '../api/support/tenant';

useTestDatabase();
const client = createOutboundClient({ allowPrivate: true });

let tenant: Tenant;
let endpointId: string;
let receiver: ReceiverOfDocs;

beforeEach(async () => {
  tenant = await makeTenant();
  const endpoint = await createEndpoint(tenant.scope, {
    url: 'https://not-yet.example.com',
    description: '',
    eventTypes: ['chain.completed'],
    projectId: null,
  });
  endpointId = endpoint.id;
  receiver = await startReceiverOfDocs(endpoint.secret);
  await updateEndpoint(tenant.scope, endpointId, { url: receiver.url });
});
afterEach(() => receiver.close());

async function deliverOne(): Promise<string> {
  const { id } = await sendTestEvent(tenant.scope, endpointId);
  await deliverWebhook(tenant.scope, requireId('dlv', id), new Date(), client);
  return id;
}

describe('[SAS-5.1] the receiver of docs/webhooks.md', () => {
  it('takes what the product signs and delivers, also while its secret rotates', async () => {
    await deliverOne();
    await rotateSecret(tenant.scope, endpointId);
    await deliverOne();
    await vi.waitFor(() => expect(receiver.lines).toHaveLength(2), 10_000);
    expect(receiver.lines.every((line) => line.startsWith('webhook.test: '))).toBe(true);
  });

  it('refuses another secret and a changed body, and does a repeated event once', async () => {
    const { secret } = await rotateSecret(tenant.scope, endpointId);
    await receiver.close();
    receiver = await startReceiverOfDocs(secret);
    const body = JSON.stringify({
      type: 'chain.needs_human',
      data: { summary: 'Look.', link: 'x' },
    });
    const send = (id: string, signedBy: string, sent = body) =>
      client.request({
        url: receiver.url,
        method: 'POST',
        headers: signWebhook({ id, sentAt: new Date(), body, secrets: [signedBy] }),
        body: sent,
        timeoutMs: 5_000,
        maxResponseBytes: 1_000,
      });
    expect(await send('dlv_1', mintSigningSecret())).toMatchObject({ status: 401 });
    expect(await send('dlv_1', secret, `${body} `)).toMatchObject({ status: 401 });
    expect(await send('dlv_1', secret)).toMatchObject({ status: 204 });
    expect(await send('dlv_1', secret)).toMatchObject({ status: 204 });
    expect(await send('dlv_2', secret)).toMatchObject({ status: 204 });
    await vi.waitFor(() => expect(receiver.lines).toHaveLength(4), 10_000);
    expect(receiver.lines).toEqual(Array(2).fill(['chain.needs_human: Look.', 'Look at x']).flat());
  });
});

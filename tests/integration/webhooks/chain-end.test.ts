import { afterAll, beforeAll, expect, it } from 'vitest';
import { tierModelsOf } from '@/lib/agents/registry';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { webhookEventSchema } from '@/lib/deliveries/schema';
import { startChain } from '@/lib/engine/chains/start-chain';
import { stopChain } from '@/lib/engine/chains/stop-chain';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import { createFromDocument } from '@/lib/projects/apply-document';
import { useTestDatabase } from '@/tests/support/database';
import { deliverWebhook } from '@/tests/support/deliver-webhook';
import {
  startWebhookReceiver,
  verifyReceived,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { makeTenant } from '../api/support/tenant';

useTestDatabase();

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

it('[SAS-5.1] the end of a chain sends its summary, once, as the schema describes it', async () => {
  const { scope } = await makeTenant();
  const project = await createFromDocument(
    scope,
    { name: 'Shop' },
    { tierModelsOf, canConfine: false },
  );
  const { secret } = await createEndpoint(scope, {
    url: receiver.url,
    description: '',
    eventTypes: ['chain.completed'],
    projectId: project.id,
  });
  const { id: projectId } = await inTransaction(scope, (db) => db.project.findFirstOrThrow({}));
  const { chainId } = await startChain(scope, { projectId, trigger: 'manual' });
  await stopChain(scope, chainId);
  const deliveries = await inTransaction(scope, (db) => db.webhookDelivery.findMany({}));
  expect(deliveries).toMatchObject([{ chainId, eventType: 'chain.completed' }]);

  const client = createOutboundClient({ allowPrivate: true });
  await deliverWebhook(scope, deliveries[0]?.id ?? '', new Date(), client);
  const [request] = receiver.received;
  if (!request) throw new Error('Nothing arrived.');
  const event = webhookEventSchema.parse(verifyReceived(request, secret));
  expect(event).toMatchObject({
    type: 'chain.completed',
    data: {
      project: { slug: 'shop' },
      chain: { id: encodeId('chn', chainId), number: 1, outcome: 'stopped' },
      sessions: [{ number: 1, tier: 1 }],
      totalCostUsd: 0,
    },
  });
});

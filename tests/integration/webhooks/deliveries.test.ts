import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tierModelsOf } from '@/lib/agents/registry';
import {
  createEndpoint,
  getEndpoint,
  updateEndpoint,
} from '@/lib/deliveries/endpoints/manage-endpoints';
import { listDeliveries, replayDelivery, sendTestEvent } from '@/lib/deliveries/manage-deliveries';
import { claimDelivery, listDueDeliveries } from '@/lib/deliveries/outbox/sending-data';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId, requireId } from '@/lib/platform/ids';
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
import { makeEndpoint, schedule, scheduleOne, stateOf } from './scheduled';

useTestDatabase();

const client = createOutboundClient({ allowPrivate: true });
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.close());

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

it('[SAS-5.1] an organization has at most 20 deliveries on their way, whoever receives them', async () => {
  const { scope } = await makeEndpoint('http://127.0.0.1:9/0');
  for (let number = 1; number <= 5; number += 1) {
    const url = `http://127.0.0.1:9/${number}`;
    await createEndpoint(scope, {
      url,
      description: '',
      eventTypes: ['chain.completed'],
      projectId: null,
    });
  }
  const now = new Date();
  const ids: string[] = [];
  for (let occasion = 1; occasion <= 4; occasion += 1) {
    ids.push(...(await schedule(scope, `chain.completed:${occasion}`, now)));
  }
  const claim = (id: string) => inTransaction(scope, (db) => claimDelivery(db, id, now));
  const claimed: Awaited<ReturnType<typeof claim>>[] = [];
  for (const id of ids) claimed.push(await claim(id));
  expect(ids).toHaveLength(24);
  expect(claimed.filter((delivery) => delivery !== null)).toHaveLength(20);
  // Each recipient has room for four, so it's the organization's limit that holds the others back.
  const [first = ''] = ids;
  const held = ids.find((_, index) => claimed[index] === null) ?? '';
  await inTransaction(scope, (db) =>
    db.webhookDelivery.updateMany({ where: { id: first }, data: { status: 'delivered' } }),
  );
  expect(await claim(held)).not.toBeNull();
});

describe('a webhook delivery', () => {
  it('[SAS-5.1] is signed over its exact bytes, as the reference library verifies', async () => {
    const { scope, endpoint } = await makeEndpoint(receiver.url);
    const id = await scheduleOne(scope);
    const before = receiver.received.length;
    await deliverWebhook(scope, id, new Date(), client);
    const request = receiver.received[before];
    if (!request) throw new Error('Nothing arrived.');
    expect(verifyReceived(request, endpoint.secret)).toMatchObject({
      type: 'chain.completed',
      data: { project: { name: 'Shöp “é”' }, totalCostUsd: 2.5 },
    });
    expect(request.headers['webhook-id']).toBe(encodeId('dlv', id));
    const delivery = await stateOf(scope, id);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, nextAttemptAt: null });
    expect(request.rawBody.toString('utf8')).toBe(delivery.body);
    expect(delivery.log).toMatchObject([{ number: 1, status: 204, error: null }]);
  });

  it('is sent although a claim of the same recipient, which sends nothing, has the lock at that moment', async () => {
    const { scope } = await makeEndpoint(receiver.url);
    const id = await scheduleOne(scope);
    let sent = Promise.resolve();
    await inTransaction(scope, async (db) => {
      expect(await claimDelivery(db, id, new Date(0)), 'not due yet').toBeNull();
      sent = deliverWebhook(scope, id, new Date(), client);
      const third = await inTransaction(scope, (other) => claimDelivery(other, id, new Date()));
      expect(third).toBe('busy');
    });
    await sent;
    expect(await stateOf(scope, id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('is written once per endpoint and occasion', async () => {
    const { scope } = await makeEndpoint(receiver.url);
    expect(await schedule(scope)).toHaveLength(1);
    expect(await schedule(scope)).toEqual([]);
    expect(await schedule(scope, 'chain.completed:2')).toHaveLength(1);
  });

  it('goes to subscribed endpoints of this project and of the organization only', async () => {
    const { scope } = await makeTenant();
    const base = { url: receiver.url, description: '', projectId: null };
    await createEndpoint(scope, { ...base, eventTypes: ['chain.needs_human'] });
    expect(await schedule(scope)).toEqual([]);
    const elsewhere = await createFromDocument(
      scope,
      { name: 'Elsewhere' },
      { tierModelsOf, canConfine: false },
    );
    const eventTypes: ['chain.completed'] = ['chain.completed'];
    await createEndpoint(scope, { ...base, eventTypes, projectId: elsewhere.id });
    expect(await schedule(scope), 'another project').toEqual([]);
    const other = await makeTenant();
    await createEndpoint(other.scope, { ...base, eventTypes });
    expect(await schedule(scope)).toEqual([]);
  });

  it('[SAS-5.1] is retried on schedule under the same webhook-id until it is taken', async () => {
    const { scope, endpoint } = await makeEndpoint(receiver.url);
    const now = new Date();
    const id = await scheduleOne(scope, undefined, now);
    const before = receiver.received.length;
    receiver.answerWith({ status: 500, body: 'no \u0000 today' });
    await deliverWebhook(scope, id, now, client);
    const retrying = await stateOf(scope, id);
    expect(retrying).toMatchObject({
      status: 'retrying',
      log: [{ status: 500, responseExcerpt: 'no \uFFFD today' }],
    });
    const dueAt = new Date(retrying.nextAttemptAt ?? 0);
    expect(dueAt.getTime() - now.getTime()).toBeGreaterThanOrEqual(5_000);
    expect((await getEndpoint(scope, endpoint.id)).failingSince).not.toBeNull();

    await deliverWebhook(scope, id, now, client);
    expect(receiver.received.length, 'it is not sent before it is due').toBe(before + 1);
    expect(await listDueDeliveries(dueAt)).toContainEqual({
      organizationId: scope.organizationId,
      deliveryId: id,
    });
    await deliverWebhook(scope, id, dueAt, client);
    expect(await stateOf(scope, id)).toMatchObject({ status: 'delivered', attempts: 2 });
    const [first, second] = receiver.received.slice(before);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.rawBody.equals(first?.rawBody ?? Buffer.alloc(0))).toBe(true);
    expect((await getEndpoint(scope, endpoint.id)).failingSince).toBeNull();
  });

  it('two workers never send the same attempt', async () => {
    const { scope } = await makeEndpoint(receiver.url);
    const id = await scheduleOne(scope);
    const before = receiver.received.length;
    const now = new Date();
    const isSending = gate();
    const mayAnswer = gate();
    const slow: typeof client = {
      request: async (request) => {
        isSending.open();
        await mayAnswer.opened;
        return client.request(request);
      },
    };
    const first = deliverWebhook(scope, id, now, slow);
    await isSending.opened;
    await Promise.all([1, 2, 3].map(() => deliverWebhook(scope, id, now, client)));
    expect(receiver.received.length).toBe(before);
    mayAnswer.open();
    await first;
    expect(receiver.received.length).toBe(before + 1);
    expect((await stateOf(scope, id)).log).toHaveLength(1);
  });

  it('is taken over when its process died while sending', async () => {
    const { scope } = await makeEndpoint(receiver.url);
    const now = new Date();
    const id = await scheduleOne(scope, undefined, now);
    const dead = { request: () => Promise.reject(new Error('the process died')) };
    await expect(deliverWebhook(scope, id, now, dead)).rejects.toThrow('the process died');
    expect(await stateOf(scope, id)).toMatchObject({ status: 'sending', attempts: 1 });
    await deliverWebhook(scope, id, new Date(now.getTime() + 60_000), client);
    expect(await stateOf(scope, id)).toMatchObject({ status: 'sending', attempts: 1 });
    await deliverWebhook(scope, id, new Date(now.getTime() + 120_000), client);
    expect(await stateOf(scope, id)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  it('[SAS-5.1] to a private address is refused for good and never connected to', async () => {
    const { scope } = await makeEndpoint(receiver.url);
    const id = await scheduleOne(scope);
    const before = receiver.received.length;
    await deliverWebhook(scope, id, new Date(), createOutboundClient({ allowPrivate: false }));
    expect(await stateOf(scope, id)).toMatchObject({
      status: 'refused',
      nextAttemptAt: null,
      log: [{ status: null, error: 'private_address' }],
    });
    expect(receiver.received.length).toBe(before);
  });

  it('that answers 410 disables the endpoint, cancels the rest and is in the audit log', async () => {
    const { scope, endpoint } = await makeEndpoint(receiver.url);
    const id = await scheduleOne(scope);
    const waiting = await scheduleOne(scope, 'chain.completed:2');
    receiver.answerWith({ status: 410 });
    await deliverWebhook(scope, id, new Date(), client);
    expect(await getEndpoint(scope, endpoint.id)).toMatchObject({ disabledReason: 'gone' });
    expect(await stateOf(scope, waiting)).toMatchObject({ status: 'cancelled' });
    expect(await schedule(scope, 'chain.completed:3')).toEqual([]);
    const audit = await inTransaction(scope, (db) =>
      db.auditLog.findMany({ where: { action: 'webhook_endpoint.disabled' } }),
    );
    expect(audit).toMatchObject([{ target: endpoint.id, detail: { reason: 'gone' } }]);
    await updateEndpoint(scope, endpoint.id, { isEnabled: true });
    expect(await schedule(scope, 'chain.completed:4')).toHaveLength(1);
  });

  it('[SAS-5.1] can be replayed with its id kept, and a test event can be sent', async () => {
    const { scope, endpoint } = await makeEndpoint(receiver.url);
    const test = await sendTestEvent(scope, endpoint.id);
    const id = requireId('dlv', test.id);
    await expect(replayDelivery(scope, test.id)).rejects.toThrow('still in progress');
    await deliverWebhook(scope, id, new Date(), client);
    const first = receiver.received.at(-1);
    await replayDelivery(scope, test.id);
    await deliverWebhook(scope, id, new Date(), client);
    const second = receiver.received.at(-1);
    expect(second).not.toBe(first);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    const { data } = await listDeliveries(scope, { limit: 10, endpoint: endpoint.id });
    expect(data).toMatchObject([
      { id: test.id, status: 'delivered', eventType: 'webhook.test', log: [{}, { number: 2 }] },
    ]);
  });

  it('is listed by one status or by any of several', async () => {
    const { scope, endpoint } = await makeEndpoint(receiver.url);
    receiver.answerWith({ status: 500 });
    const failed = await scheduleOne(scope, 'chain.completed:1');
    await deliverWebhook(scope, failed, new Date(), client);
    const taken = await scheduleOne(scope, 'chain.completed:2');
    await deliverWebhook(scope, taken, new Date(), client);
    const listed = async (status: Parameters<typeof listDeliveries>[1]['status']) => {
      const page = { limit: 10, endpoint: endpoint.id, status };
      return (await listDeliveries(scope, page)).data.map(({ id }) => requireId('dlv', id));
    };
    expect(await listed('delivered')).toEqual([taken]);
    expect(await listed(['retrying', 'exhausted', 'refused'])).toEqual([failed]);
    expect(await listed(undefined)).toEqual([taken, failed]);
  });

  it('of a test event links to the page of its endpoint', async () => {
    const { scope, endpoint } = await makeEndpoint(receiver.url);
    const { body } = await sendTestEvent(scope, endpoint.id);
    expect(JSON.parse(body).data.link).toMatch(
      new RegExp(`/${scope.organizationSlug}/webhooks/${endpoint.id}$`),
    );
  });
});

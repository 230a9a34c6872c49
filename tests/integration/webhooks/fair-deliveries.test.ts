/** One queue carries the messages of every organization: a long line of one delays nobody else's. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deliver } from '@/lib/deliveries/deliver';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { IN_LINE, listDueDeliveries, MAX_SENDING } from '@/lib/deliveries/outbox/sending-data';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { createWorker } from '@/lib/platform/queue/backend';
import { controlBackend, DELIVERY_QUEUE, enqueueMany } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { useTestDatabase } from '@/tests/support/database';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { runJob } from '@/workers/registry';
import { chainEnd, tell } from '../notifications/support';
import { makeEndpoint } from './scheduled';

useTestDatabase();

const LONG = 2_000;
const PATIENCE = { timeout: 120_000, interval: 50 };

/** Chains that end one after the other, ten at a time; enqueued as after their commits. */
async function announceEnds(scope: TenantScope, count: number, first = 1): Promise<string[]> {
  const { organizationId } = scope;
  const enqueued: string[] = [];
  for (let from = first; from < first + count; from += 10) {
    const numbers = Array.from({ length: Math.min(10, first + count - from) }, (_, n) => from + n);
    const ids = await tell(
      scope,
      numbers.map((number) => chainEnd('fixed', number)),
    );
    await enqueueMany(
      deliverWebhookJob,
      ids.map((deliveryId) => ({ organizationId, deliveryId })),
    );
    enqueued.push(...ids);
  }
  return enqueued;
}

function countOpen(scope: TenantScope): Promise<number> {
  return inTransaction(scope, (db) =>
    db.webhookDelivery.count({ where: { status: { in: ['scheduled', 'sending'] } } }),
  );
}

function startSending() {
  return createWorker(
    controlBackend(),
    'control',
    DELIVERY_QUEUE,
    (job) => runJob(job.name, job.data),
    50,
  );
}

describe('[FLT-6.4] beside an organization with thousands of due deliveries', () => {
  let hanging: WebhookReceiver;
  let quick: WebhookReceiver;

  beforeAll(async () => {
    process.env.TIERWATCH_ALLOW_PRIVATE_TARGETS = 'true';
    hanging = await startWebhookReceiver();
    hanging.answerWith(...Array.from({ length: LONG }, () => ({ kind: 'silence' as const })));
    quick = await startWebhookReceiver();
  });
  afterAll(() => quick.close());

  it('another one’s delivery is sent while the large one’s endpoint hangs', async () => {
    const { scope: large } = await makeEndpoint(hanging.url);
    const { scope: small } = await makeEndpoint(quick.url);
    const enqueued = await announceEnds(large, LONG);
    expect(enqueued.length).toBeLessThanOrEqual(IN_LINE.organization);
    expect(await announceEnds(small, 1)).toHaveLength(1);

    const due = await listDueDeliveries(new Date());
    const places = due.map(({ organizationId }) => organizationId === small.organizationId);
    expect(places.indexOf(true), 'a sweep lists it first or second').toBeLessThan(2);
    expect(places.filter((isSmall) => !isSmall).length).toBeLessThanOrEqual(IN_LINE.organization);

    const worker = startSending();
    try {
      await vi.waitFor(() => expect(quick.received).toHaveLength(1), PATIENCE);
      await vi.waitFor(async () => expect(await countOpen(small)).toBe(0), PATIENCE);
      expect(await countOpen(large), 'none of the large one has ended').toBe(LONG);
      expect(hanging.received.length).toBeLessThanOrEqual(MAX_SENDING.healthyRecipient);
    } finally {
      await hanging.close();
      await worker.close();
    }
  });

  it('the long line of a healthy endpoint is sent to its end, each message enqueuing the next', async () => {
    const { scope } = await makeEndpoint(quick.url);
    const before = quick.received.length;
    const enqueued = await announceEnds(scope, 100);
    expect(enqueued).toHaveLength(IN_LINE.organization);
    const worker = startSending();
    try {
      await vi.waitFor(() => expect(quick.received).toHaveLength(before + 100), PATIENCE);
      await vi.waitFor(async () => expect(await countOpen(scope)).toBe(0), PATIENCE);
    } finally {
      await worker.close();
    }
  });

  it('a message gets another job when one before it ends, even while its own job is about to end', async () => {
    const { scope } = await makeEndpoint(quick.url);
    const { organizationId } = scope;
    const [first = '', second = ''] = await announceEnds(scope, 2);
    let isOver = false;
    const jobs: unknown[] = [];
    const worker = createWorker(
      controlBackend(),
      'control',
      DELIVERY_QUEUE,
      async ({ data }) => {
        // Jobs of other tests are left in the queue.
        if (data.deliveryId !== first && data.deliveryId !== second) return;
        jobs.push(data);
        // The first job of the second message has looked in vain, and ends now.
        if (data.deliveryId !== second || 'after' in data) return;
        await vi.waitFor(() => expect(isOver).toBe(true), PATIENCE);
      },
      50,
    );
    try {
      await vi.waitFor(() => expect(jobs).toHaveLength(2), PATIENCE);
      await deliver(scope, first);
      isOver = true;
      const another = { organizationId, deliveryId: second, after: first };
      await vi.waitFor(() => expect(jobs.at(-1)).toEqual(another), PATIENCE);
    } finally {
      await worker.close();
    }
  });

  it('a recipient without a line gets its messages beside one of its organization that hangs', async () => {
    const { scope } = await makeEndpoint('http://127.0.0.1:9/hangs');
    await announceEnds(scope, 60);
    await createEndpoint(scope, {
      url: quick.url,
      description: '',
      eventTypes: ['chain.completed'],
      projectId: null,
    });
    expect(await announceEnds(scope, 6, 1_000), 'the first four for the new one').toHaveLength(4);
    const rows = await inTransaction(scope, (db) =>
      db.webhookDelivery.groupBy({ by: ['endpointId'], _count: { _all: true } }),
    );
    expect(rows.map(({ _count }) => _count._all).sort()).toEqual([6, 66].sort());
  });
});

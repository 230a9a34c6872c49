/** Messages about one outage reach a channel in order, and on-call services only the newest state. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { AlertSubject } from '@/lib/deliveries/alert';
import { createChannel } from '@/lib/deliveries/channels/manage-channels';
import { deliver } from '@/lib/deliveries/deliver';
import { listDueDeliveries } from '@/lib/deliveries/outbox/sending-data';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { createOutboundClient, type OutboundClient } from '@/lib/platform/outbound-http/client';
import { useTestDatabase } from '@/tests/support/database';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { makeTenant } from '../api/support/tenant';
import { alertHappening, sendersFor, tell } from './support';

useTestDatabase();

let receiver: WebhookReceiver;
let scope: TenantScope;
beforeEach(async () => {
  process.env.TIERWATCH_ALLOW_PRIVATE_TARGETS = 'true';
  receiver = await startWebhookReceiver();
  ({ scope } = await makeTenant());
  return () => receiver.close();
});

/** A target that keeps a history, or one that keeps a state. */
function addChannel(shape: 'tierwatch' | 'events_v2') {
  return createChannel(scope, {
    name: shape,
    settings: {
      kind: 'oncall_webhook',
      url: receiver.url,
      shape,
      routingKey: null,
      headers: [],
    },
    outcomes: ['needs_human'],
    eventTypes: [],
    projectId: null,
  });
}

const START = new Date();
const later = (seconds: number) => new Date(START.getTime() + seconds * 1_000);

/** Announces the states one after the other, and returns the deliveries' UUIDs. */
async function announceStates(
  states: readonly AlertSubject['status'][],
  dedupKey = 'tierwatch/inc_1',
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, status] of states.entries()) {
    const happening = alertHappening({ status, sequence: index + 1, dedupKey });
    ids.push(...(await tell(scope, [happening], START)));
  }
  return ids;
}

/** Sends what a sweep finds, again and again, as a worker whose jobs were all lost. */
async function sweep(now: Date, using = sendersFor(null)): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const due = await own(now);
    if (due.length === 0) return;
    for (const id of due) await deliver(scope, id, now, using);
  }
  throw new Error('The sweep lists deliveries that are never sent.');
}

async function own(now: Date): Promise<string[]> {
  const due = await listDueDeliveries(now);
  return due
    .filter(({ organizationId }) => organizationId === scope.organizationId)
    .map(({ deliveryId }) => deliveryId);
}

/** `status` of the Tierwatch shape, or `event_action`, of each request. */
const sent = () =>
  receiver.received.map(({ rawBody }) => {
    const body = JSON.parse(rawBody.toString('utf8'));
    return `${body.dedup_key.slice(-1)} ${body.status ?? body.event_action}`;
  });

async function statuses(): Promise<string[]> {
  const rows = await inTransaction(scope, (db) =>
    db.webhookDelivery.findMany({ orderBy: { id: 'asc' } }),
  );
  return rows.map(({ status }) => status);
}

describe('[INC-2.2] messages about one outage', () => {
  it('aren’t sent before the earlier ones, in whatever order their jobs run', async () => {
    await addChannel('tierwatch');
    const [opened = '', acknowledged = '', resolved = ''] = await announceStates([
      'firing',
      'acknowledged',
      'resolved',
    ]);
    for (const id of [resolved, acknowledged, opened, resolved, acknowledged, resolved]) {
      await deliver(scope, id, START, sendersFor(null));
    }
    expect(sent()).toEqual(['1 firing', '1 acknowledged', '1 resolved']);
  });

  it('wait while an earlier one is retried, and follow once it was delivered', async () => {
    await addChannel('tierwatch');
    receiver.answerWith({ status: 500 }, { status: 500 });
    await announceStates(['firing', 'resolved']);
    await sweep(START);
    expect(sent()).toEqual(['1 firing']);
    expect(await statuses()).toEqual(['retrying', 'scheduled']);
    expect(await own(later(4)), 'the second one isn’t listed').toEqual([]);
    await sweep(later(6));
    expect(await statuses()).toEqual(['retrying', 'scheduled']);
    await sweep(later(400));
    expect(sent()).toEqual(['1 firing', '1 firing', '1 firing', '1 resolved']);
    expect(await statuses()).toEqual(['delivered', 'delivered']);
  });

  it('follow once the earlier one was given up', async () => {
    await addChannel('tierwatch');
    receiver.answerWith(...Array.from({ length: 8 }, () => ({ status: 500 })));
    await announceStates(['firing', 'resolved']);
    for (let hours = 0; hours <= 48; hours += 1) await sweep(later(hours * 3_600));
    expect(await statuses()).toEqual(['exhausted', 'delivered']);
    expect(sent().at(-1)).toBe('1 resolved');
  });

  it('wait while an earlier one is being sent', async () => {
    await addChannel('tierwatch');
    const [opened = '', resolved = ''] = await announceStates(['firing', 'resolved']);
    let meanwhile = 0;
    const real = createOutboundClient({ allowPrivate: true });
    const slow: OutboundClient = {
      async request(request) {
        await deliver(scope, resolved, START, sendersFor(null));
        meanwhile = receiver.received.length;
        return real.request(request);
      },
    };
    await deliver(scope, opened, START, { http: slow, trustedHttp: slow, mailer: null });
    expect(meanwhile).toBe(0);
    await sweep(START);
    expect(sent()).toEqual(['1 firing', '1 resolved']);
  });

  it('hold up no other outage, and no other channel', async () => {
    await addChannel('tierwatch');
    const other = await startWebhookReceiver();
    try {
      await createChannel(scope, {
        name: 'Other',
        settings: {
          kind: 'oncall_webhook',
          url: other.url,
          shape: 'tierwatch',
          routingKey: null,
          headers: [],
        },
        outcomes: ['needs_human'],
        eventTypes: [],
        projectId: null,
      });
      receiver.answerWith({ status: 500 });
      await announceStates(['firing', 'acknowledged', 'resolved', 'firing', 'resolved']);
      await announceStates(['firing', 'resolved'], 'tierwatch/inc_2');
      await sweep(START);
      expect(sent()).toEqual(['1 firing', '2 firing', '2 resolved']);
      expect(other.received).toHaveLength(7);
    } finally {
      await other.close();
    }
  });
});

describe('[INC-2.2] a target that keeps only the newest state', () => {
  it('isn’t paged about what was resolved while it was away', async () => {
    await addChannel('events_v2');
    receiver.answerWith({ status: 500 });
    const [opened = ''] = await announceStates(['firing']);
    await deliver(scope, opened, START, sendersFor(null));
    await tell(
      scope,
      [alertHappening({ status: 'resolved', sequence: 2, dedupKey: 'tierwatch/inc_1' })],
      START,
    );
    await sweep(later(3));
    expect(sent()).toEqual(['1 trigger', '1 resolve']);
    await sweep(later(600));
    expect(sent(), 'the trigger isn’t repeated').toHaveLength(2);
    expect(await statuses()).toEqual(['cancelled', 'delivered']);
  });

  it('gets one trigger for several that waited', async () => {
    await addChannel('events_v2');
    const ids = await announceStates(['firing', 'firing', 'firing']);
    for (const id of ids) await deliver(scope, id, START, sendersFor(null));
    await sweep(START);
    expect(sent()).toEqual(['1 trigger']);
    expect(await statuses()).toEqual(['cancelled', 'cancelled', 'delivered']);
  });

  it('gets the trigger before an acknowledgment, which would be ignored without it', async () => {
    await addChannel('events_v2');
    const [opened = '', acknowledged = ''] = await announceStates(['firing', 'acknowledged']);
    await deliver(scope, acknowledged, START, sendersFor(null));
    await deliver(scope, opened, START, sendersFor(null));
    await sweep(START);
    expect(sent()).toEqual(['1 trigger', '1 acknowledge']);
  });

  it('gets a resolve after the trigger that is being sent, never at the same time', async () => {
    await addChannel('events_v2');
    const [opened = '', resolved = ''] = await announceStates(['firing', 'resolved']);
    await inTransaction(scope, (db) =>
      db.webhookDelivery.updateMany({
        where: { id: opened },
        data: { status: 'sending', attempts: 1, nextAttemptAt: later(120) },
      }),
    );
    await deliver(scope, resolved, later(1), sendersFor(null));
    expect(sent()).toEqual([]);
    await sweep(later(121));
    expect(sent(), 'the process that sent the trigger has died').toEqual(['1 resolve']);
    expect(await statuses()).toEqual(['cancelled', 'delivered']);
  });
});

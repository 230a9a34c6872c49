/** Channels with an API of their own: what they send, and that their secrets stay secret. */

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rotateChannelSecret } from '@/lib/deliveries/channels/channel-secret';
import {
  listChannels,
  testChannel,
  updateChannel,
} from '@/lib/deliveries/channels/manage-channels';
import { type ChannelSettings, isAlertsOnly } from '@/lib/deliveries/channels/registry';
import { deliver } from '@/lib/deliveries/deliver';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError, ForbiddenError, InvalidError, NotFoundError } from '@/lib/platform/errors';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import { useTestDatabase } from '@/tests/support/database';
import {
  type Answer,
  startWebhookReceiver,
  verifyReceived,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { makeTenant } from '../api/support/tenant';
import {
  API_KEY,
  acceptedBy,
  addChannel,
  BEARER,
  bodyOf,
  ROUTING_KEY,
  SLACK,
  secretsOf,
  settingsOf,
  TARGETS,
  type Target,
} from './native-targets';
import { chainEnd, readDelivery, sendersFor, tell, tellAndSend } from './support';

useTestDatabase();

let receiver: WebhookReceiver;
beforeAll(() => {
  process.env.TIERWATCH_ALLOW_PRIVATE_TARGETS = 'true';
});
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  return () => receiver.close();
});

/** Sends one alert and returns its delivery with its attempts. */
async function sendAlert(target: Target, ...answers: Answer[]) {
  const { scope } = await makeTenant();
  const channel = await addChannel(scope, target, receiver);
  receiver.answerWith(...answers);
  const [id = ''] = await tellAndSend(scope, chainEnd('needs_human'), sendersFor(null));
  const delivery = await readDelivery(scope, id);
  return { channel, delivery };
}

describe('[INC-2.2] a chain that needs a human', () => {
  it('is posted to a Slack webhook as blocks', async () => {
    const { delivery } = await sendAlert('slack', acceptedBy('slack'));
    expect(delivery).toMatchObject({ status: 'delivered', subject: 'tierwatch/chn_1' });
    const [request] = receiver.received;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/services/T0SECRET/B0SECRET/xoxsecret',
    });
    const { text, blocks } = bodyOf(request);
    expect(text).toBe('Shöp &lt;b&gt;: Chain #12 needs a human (critical)');
    expect(blocks.map((block: { type: string }) => block.type)).toEqual([
      'header',
      'section',
      'section',
      'section',
    ]);
    expect(JSON.stringify(blocks)).toContain('Tier 3 found a full disk.');
  });

  it('triggers an event at PagerDuty', async () => {
    const { delivery } = await sendAlert('pagerduty', acceptedBy('pagerduty'));
    expect(delivery.status).toBe('delivered');
    const [request] = receiver.received;
    expect(request?.path).toBe('/v2/enqueue');
    expect(bodyOf(request)).toMatchObject({
      routing_key: ROUTING_KEY,
      event_action: 'trigger',
      dedup_key: 'tierwatch/chn_1',
      payload: { summary: 'Shöp <b>: Chain #12 needs a human', severity: 'critical' },
    });
  });

  it('opens an alert at Jira Service Management', async () => {
    const { delivery } = await sendAlert('jsm', acceptedBy('jsm'));
    expect(delivery.status).toBe('delivered');
    const [request] = receiver.received;
    expect(request?.path).toBe('/jsm/ops/integration/v2/alerts');
    expect(request?.headers.authorization).toBe(`GenieKey ${API_KEY}`);
    expect(bodyOf(request)).toMatchObject({ alias: 'tierwatch/chn_1', priority: 'P1' });
  });

  it('is posted to an on-call webhook, signed, with its headers', async () => {
    const { channel, delivery } = await sendAlert('webhook', acceptedBy('webhook'));
    expect(delivery.status).toBe('delivered');
    const [request] = receiver.received;
    if (!request) throw new Error('Nothing arrived.');
    expect(request).toMatchObject({ method: 'POST', path: '/hooks/secret-path' });
    expect(request.headers).toMatchObject({
      authorization: BEARER,
      'x-team-key': 'very-secret-key',
    });
    expect(channel.secret).toMatch(/^whsec_/);
    expect(verifyReceived(request, channel.secret ?? '')).toMatchObject({
      id: request.headers['webhook-id'],
      type: 'chain.completed',
      dedup_key: 'tierwatch/chn_1',
      sequence: 1,
      status: 'firing',
      needs_human: true,
      services: ['payments-db'],
    });
    expect(() =>
      verifyReceived(request, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'),
    ).toThrow();
  });

  it('is posted in the shape of the Events API v2 if the webhook says so', async () => {
    const { channel } = await sendAlert('events', acceptedBy('events'));
    const [request] = receiver.received;
    if (!request) throw new Error('Nothing arrived.');
    expect(verifyReceived(request, channel.secret ?? '')).toMatchObject({
      routing_key: ROUTING_KEY,
      event_action: 'trigger',
    });
  });
});

describe('[INC-2.2] a private address', () => {
  it.each(TARGETS)('isn’t called by %s where the operator allows none', async (target) => {
    const { scope } = await makeTenant();
    await addChannel(scope, target, receiver);
    const strict = createOutboundClient({ allowPrivate: false });
    const using = { http: strict, trustedHttp: sendersFor(null).http, mailer: null };
    const [id = ''] = await tellAndSend(scope, chainEnd('needs_human'), using);
    expect(await readDelivery(scope, id)).toMatchObject({
      status: 'refused',
      log: [{ error: 'private_address' }],
    });
    expect(receiver.received).toEqual([]);
  });
});

describe('[INC-2.2] secrets of a target', () => {
  it.each(TARGETS)('of %s are in no answer, log or audit entry', async (target) => {
    const { scope } = await makeTenant();
    const { secret, ...channel } = await addChannel(scope, target, receiver);
    const echo = `No such path /services/T0SECRET/B0SECRET/xoxsecret or /hooks/secret-path, key ${ROUTING_KEY} ${API_KEY} ${BEARER} ${secret}`;
    receiver.answerWith({ status: 500, body: echo, headers: { 'x-echo': echo.slice(0, 300) } });
    const [id = ''] = await tellAndSend(scope, chainEnd('needs_human'), sendersFor(null));
    await updateChannel(scope, channel.id, { name: 'New', settings: settingsOf(target, receiver) });
    const { log } = await readDelivery(scope, id);
    const audit = await inTransaction(scope, (db) => db.auditLog.findMany({}));
    const rows = await inTransaction(scope, (db) => db.notificationChannel.findMany({}));
    const detail = audit.map((entry) => entry.detail);
    expect(JSON.stringify([log, await listChannels(scope)])).not.toMatch(secretsOf(target));
    const stored = JSON.stringify([channel, detail, rows]);
    expect(stored).not.toMatch(secretsOf(target));
    expect(stored).not.toContain('whsec_');
  });

  it('are replaced without changing the one that signs, until it is rotated', async () => {
    const { scope } = await makeTenant();
    const { id: channelId, secret } = await addChannel(scope, 'webhook', receiver);
    const settings = {
      ...settingsOf('webhook', receiver),
      url: `${new URL(receiver.url).origin}/moved`,
    } as ChannelSettings;
    await updateChannel(scope, channelId, { settings });
    const now = new Date();
    await tellAndSend(scope, chainEnd('needs_human', 1), sendersFor(null), now);
    const [moved] = receiver.received;
    if (!moved) throw new Error('Nothing arrived.');
    expect(moved.path).toBe('/moved');
    verifyReceived(moved, secret ?? '');

    const rotated = await rotateChannelSecret(scope, channelId, now);
    expect(rotated.secret).not.toBe(secret);
    await tellAndSend(scope, chainEnd('needs_human', 2), sendersFor(null), now);
    const both = receiver.received[1];
    if (!both) throw new Error('Nothing arrived.');
    expect(verifyReceived(both, secret ?? '')).toEqual(verifyReceived(both, rotated.secret ?? ''));

    const later = new Date(now.getTime() + 25 * 3_600_000);
    await tellAndSend(scope, chainEnd('needs_human', 3), sendersFor(null), later);
    const signatures = receiver.received[2]?.headers['webhook-signature']?.split(' ');
    expect(signatures).toHaveLength(1);
  });

  it('are rotated by admins of the organization, and only where something is signed', async () => {
    const { scope } = await makeTenant();
    const { id } = await addChannel(scope, 'webhook', receiver);
    const operator = { ...scope, role: 'operator' as const };
    expect(() => rotateChannelSecret(operator, id)).toThrow(ForbiddenError);
    const { scope: stranger } = await makeTenant();
    await expect(rotateChannelSecret(stranger, id)).rejects.toThrow(NotFoundError);
    const slack = await addChannel(scope, 'slack', receiver);
    expect(slack.secret).toBeNull();
    await expect(rotateChannelSecret(scope, slack.id)).rejects.toThrow(ConflictError);
    await rotateChannelSecret(scope, id);
    const entries = await inTransaction(scope, (db) =>
      db.auditLog.findMany({ where: { action: 'notification_channel.rotated' } }),
    );
    expect(entries).toHaveLength(1);
  });
});

describe('[INC-2.2] notices', () => {
  it('go to Slack and to a webhook in the shape of Tierwatch, and page nobody', async () => {
    const { scope } = await makeTenant();
    const outcomes = ['failed' as const, 'needs_human' as const];
    await addChannel(scope, 'slack', receiver, { outcomes });
    await addChannel(scope, 'webhook', receiver, { outcomes });
    await addChannel(scope, 'pagerduty', receiver);
    await addChannel(scope, 'jsm', receiver);
    await addChannel(scope, 'events', receiver);
    expect(await tell(scope, [chainEnd('needs_human', 1)])).toHaveLength(5);
    const ids = await tell(scope, [chainEnd('failed', 2)]);
    const rows = await Promise.all(ids.map((id) => readDelivery(scope, id)));
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row).toMatchObject({ subject: null, sequence: null });
    for (const id of ids) await deliver(scope, id, new Date(), sendersFor(null));
    const bodies = receiver.received.map(bodyOf);
    expect(bodies).toContainEqual(
      expect.objectContaining({ status: null, dedup_key: null, severity: 'error' }),
    );
    expect(bodies).toContainEqual(
      expect.objectContaining({ text: 'Shöp &lt;b&gt;: Chain #2 failed' }),
    );
  });

  it('that wait while their webhook starts to receive alerts only are refused', async () => {
    const { scope } = await makeTenant();
    const { id: channelId } = await addChannel(scope, 'webhook', receiver, {
      outcomes: ['failed'],
    });
    const [id = ''] = await tell(scope, [chainEnd('failed')]);
    const settings = settingsOf('events', receiver);
    await updateChannel(scope, channelId, { settings, outcomes: ['needs_human'] });
    await deliver(scope, id, new Date(), sendersFor(null));
    expect(await readDelivery(scope, id)).toMatchObject({
      status: 'refused',
      log: [{ error: 'no_alert' }],
    });
    expect(receiver.received).toEqual([]);
  });

  it.each(['pagerduty', 'jsm', 'events'] as const)(
    'can’t be subscribed to by %s, and the refusal says what can',
    async (target) => {
      const { scope } = await makeTenant();
      const add = () =>
        addChannel(scope, target, receiver, { outcomes: ['needs_human', 'failed'] });
      expect(add).toThrow(InvalidError);
      expect(add).toThrow(
        /alerts only: needs_human, incident\.opened, .*\. It can’t receive failed/,
      );
      const { id } = await addChannel(scope, target, receiver);
      await expect(updateChannel(scope, id, { eventTypes: ['runner.offline'] })).rejects.toThrow(
        InvalidError,
      );
    },
  );
});

describe('[INC-2.2] a channel that its target disables', () => {
  it('is reported by another channel where the installation sends no e-mail', async () => {
    const { scope } = await makeTenant();
    await addChannel(scope, 'slack', receiver, { name: 'First' });
    await addChannel(scope, 'webhook', receiver, { name: 'Other' });
    await addChannel(scope, 'pagerduty', receiver);
    const now = new Date();
    const [id = ''] = await tell(scope, [chainEnd('needs_human')], now);
    const { channelId } = await readDelivery(scope, id);
    receiver.answerWith(SLACK.removed as Answer);
    await deliver(scope, id, now, sendersFor(null));
    const reports = await inTransaction(scope, (db) =>
      db.webhookDelivery.findMany({
        where: { eventType: 'channel_disabled' },
        include: { channel: true },
      }),
    );
    expect(reports.map(({ channel }) => channel?.name)).toEqual(['Other']);
    expect(reports[0]?.channelId).not.toBe(channelId);
    expect(reports[0]?.body).toContain('no_service');
  });
});

describe('[INC-2.2] a test', () => {
  it.each(TARGETS)('of %s shows its result in place', async (target) => {
    const { scope } = await makeTenant();
    const { id } = await addChannel(scope, target, receiver);
    const now = new Date();
    expect((await testChannel(scope, id, now)).last).toMatchObject({
      status: 'scheduled',
      eventType: 'channel.test',
      title: 'Acme: test message',
    });
    const rows = await inTransaction(scope, (db) =>
      db.webhookDelivery.findMany({ orderBy: { id: 'asc' } }),
    );
    const isPaging = isAlertsOnly(settingsOf(target, receiver));
    expect(rows).toHaveLength(isPaging ? 2 : 1);
    receiver.answerWith(acceptedBy(target), acceptedBy(target));
    for (const row of rows) await deliver(scope, row.id, now, sendersFor(null));
    const [listed] = await listChannels(scope);
    expect(listed?.last).toMatchObject({ status: 'delivered', eventType: 'channel.test' });
    expect(receiver.received).toHaveLength(rows.length);
    if (target === 'pagerduty') {
      const [first, second] = receiver.received.map(bodyOf);
      expect([first.event_action, second.event_action]).toEqual(['trigger', 'resolve']);
      expect(first.payload.severity).toBe('info');
      expect(second.dedup_key).toBe(first.dedup_key);
    }
  });
});

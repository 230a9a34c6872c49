/** Every answer that the vendors of channels document, by real HTTP. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getChannel } from '@/lib/deliveries/channels/manage-channels';
import { deliver } from '@/lib/deliveries/deliver';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { createOutboundClient, type OutboundClient } from '@/lib/platform/outbound-http/client';
import { useTestDatabase } from '@/tests/support/database';
import { type MailServer, startMailServer } from '@/tests/support/mail-server/mail-server';
import {
  type Answer,
  startWebhookReceiver,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { makeTenant } from '../api/support/tenant';
import { acceptedBy, addChannel, bodyOf, SLACK, TARGETS, type Target } from './native-targets';
import { alertHappening, chainEnd, readDelivery, sendersFor, tell, tellAndSend } from './support';

useTestDatabase();

let mail: MailServer;
let receiver: WebhookReceiver;
beforeAll(async () => {
  mail = await startMailServer();
  Object.assign(process.env, { SMTP_URL: mail.url, TIERWATCH_ALLOW_PRIVATE_TARGETS: 'true' });
});
afterAll(() => mail.close());
beforeEach(async () => {
  receiver = await startWebhookReceiver();
  return () => receiver.close();
});

/** Sends one alert and returns its delivery with its attempts. */
async function sendAlert(target: Target, ...answers: Answer[]) {
  const { scope } = await makeTenant();
  const channel = await addChannel(scope, target, receiver);
  receiver.answerWith(...answers);
  const now = new Date();
  const [id = ''] = await tellAndSend(scope, chainEnd('needs_human'), sendersFor(mail.url), now);
  const delivery = await readDelivery(scope, id);
  return { scope, channel, delivery, now };
}

describe('[INC-2.2] an answer', () => {
  it.each(TARGETS.flatMap((target) => [500, 503].map((status) => [target, status] as const)))(
    'of %s with %i is retried',
    async (target, status) => {
      const { scope, delivery } = await sendAlert(target, { status, body: 'rollup_error' });
      expect(delivery).toMatchObject({ status: 'retrying', attempts: 1, log: [{ status }] });
      receiver.answerWith(acceptedBy(target));
      await deliver(scope, delivery.id, delivery.nextAttemptAt ?? undefined, sendersFor(null));
      expect(await readDelivery(scope, delivery.id)).toMatchObject({ status: 'delivered' });
    },
  );

  it.each(TARGETS)('of %s with 429 is retried when Retry-After says so', async (target) => {
    const limited = { status: 429, headers: { 'retry-after': '90' } };
    const { scope, channel, delivery, now } = await sendAlert(target, limited);
    expect(delivery).toMatchObject({ status: 'retrying', log: [{ status: 429 }] });
    const waits = (delivery.nextAttemptAt?.getTime() ?? 0) - now.getTime();
    expect(waits).toBeGreaterThanOrEqual(90_000);
    expect(waits).toBeLessThan(120_000);
    expect((await getChannel(scope, channel.id)).disabledAt).toBeNull();
  });

  it('of Slack with 429 also pauses the other messages of its channel', async () => {
    const { scope } = await makeTenant();
    await addChannel(scope, 'slack', receiver);
    const now = new Date();
    const numbers = [1, 2, 3];
    const happenings = numbers.map((number) => chainEnd('needs_human', number));
    const [first = '', ...others] = await tell(scope, happenings, now);
    receiver.answerWith(SLACK.limited as Answer);
    await deliver(scope, first, now, sendersFor(null));
    for (const id of others) await deliver(scope, id, now, sendersFor(null));
    expect(receiver.received).toHaveLength(1);
    const rows = await Promise.all(others.map((id) => readDelivery(scope, id)));
    for (const { nextAttemptAt, attempts } of rows) {
      expect(nextAttemptAt?.getTime()).toBeGreaterThanOrEqual(now.getTime() + 30_000);
      expect(attempts).toBe(0);
    }
  });

  it.each(TARGETS)('that %s cuts off is retried', async (target) => {
    const { delivery } = await sendAlert(target, { kind: 'reset' });
    expect(delivery).toMatchObject({ status: 'retrying', log: [{ status: null }] });
    expect(delivery.log[0]?.error).not.toBeNull();
  });

  it.each(TARGETS)('that %s never sends is retried', async (target) => {
    const { scope } = await makeTenant();
    await addChannel(scope, target, receiver);
    receiver.answerWith({ kind: 'silence' });
    const real = createOutboundClient({ allowPrivate: true });
    const hasty: OutboundClient = {
      request: (request) => real.request({ ...request, timeoutMs: 300 }),
    };
    const using = { http: hasty, trustedHttp: hasty, mailer: null };
    const [id = ''] = await tellAndSend(scope, chainEnd('needs_human'), using);
    expect(await readDelivery(scope, id)).toMatchObject({
      status: 'retrying',
      log: [{ status: null, error: 'response_timeout' }],
    });
  });

  it('of Slack with 400 is followed once by plain text', async () => {
    const { delivery } = await sendAlert('slack', SLACK.bad_payload as Answer, acceptedBy('slack'));
    expect(delivery).toMatchObject({ status: 'delivered', log: [{ status: 200 }] });
    expect(delivery.log).toHaveLength(1);
    expect(receiver.received).toHaveLength(2);
    expect(Object.keys(bodyOf(receiver.received[1]))).toEqual(['text']);
    expect(bodyOf(receiver.received[1]).text).toContain('```Chain #12 of Shop needs a human.');
  });

  it('of Slack with 400 to plain text, too, ends the message', async () => {
    const refused = SLACK.bad_payload as Answer;
    const { scope, channel, delivery } = await sendAlert('slack', refused, refused);
    expect(delivery).toMatchObject({ status: 'refused', attempts: 1, log: [{ status: 400 }] });
    expect(receiver.received).toHaveLength(2);
    expect(await getChannel(scope, channel.id)).toMatchObject({
      disabledAt: null,
      failingSince: expect.any(String),
    });
  });

  it.each([
    ['pagerduty', 400],
    ['jsm', 400],
    ['jsm', 401],
    ['jsm', 403],
  ] as const)('of %s with %i ends the message', async (target, status) => {
    const { scope, channel, delivery } = await sendAlert(target, { status });
    expect(delivery).toMatchObject({ status: 'refused', attempts: 1, log: [{ status }] });
    expect(receiver.received).toHaveLength(1);
    expect((await getChannel(scope, channel.id)).disabledAt).toBeNull();
  });

  it.each([
    ['slack', SLACK.forbidden, 'action_prohibited'],
    ['slack', SLACK.gone, 'channel_not_found'],
    ['slack', SLACK.removed, 'no_service'],
    ['slack', SLACK.archived, 'channel_is_archived'],
    ['webhook', { status: 410, body: 'gone' }, 'gone'],
    ['pagerduty', { status: 410, body: 'gone' }, 'gone'],
    ['jsm', { status: 410, body: 'the end' }, 'the end'],
  ] as const)(
    'of %s with %j disables the channel and e-mails the admins',
    async (target, answer, why) => {
      const { scope, channel, delivery } = await sendAlert(target, answer as Answer);
      expect(delivery).toMatchObject({ status: 'exhausted', attempts: 1 });
      expect(await getChannel(scope, channel.id)).toMatchObject({
        disabledReason: 'rejected',
        disabledAt: expect.any(String),
      });
      const letter = await inTransaction(scope, (db) =>
        db.webhookDelivery.findFirstOrThrow({ where: { eventType: 'channel_disabled' } }),
      );
      await deliver(scope, letter.id, letter.nextAttemptAt ?? undefined, sendersFor(mail.url));
      expect(mail.received.at(-1)?.to).toEqual([scope.actor.label]);
      const source = mail.received.at(-1)?.source ?? '';
      expect(source).toContain(why);
      expect(source).not.toMatch(/xoxsecret|secret-path|0123456789abcdef/);
      expect(await tell(scope, [chainEnd('needs_human', 13)]), 'it gets nothing more').toEqual([]);
    },
  );

  it('of another server than Slack is not mistaken for success', async () => {
    const { delivery } = await sendAlert('slack', { status: 200, body: '<html>Sign in</html>' });
    expect(delivery).toMatchObject({ status: 'retrying', log: [{ error: 'unexpected_answer' }] });
  });

  it('of Jira Service Management that a closed alert isn’t there is good', async () => {
    const { scope } = await makeTenant();
    await addChannel(scope, 'jsm', receiver);
    receiver.answerWith({ status: 404 });
    const ended = alertHappening({ status: 'resolved', sequence: 2 });
    const [id = ''] = await tellAndSend(scope, ended, sendersFor(null));
    expect(receiver.received[0]?.path).toBe(
      '/jsm/ops/integration/v2/alerts/tierwatch%2Finc_01JCHECKOUT/close?identifierType=alias',
    );
    expect(await readDelivery(scope, id)).toMatchObject({ status: 'delivered' });
  });
});

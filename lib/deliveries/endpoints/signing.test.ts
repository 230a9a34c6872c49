import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOutboundClient } from '@/lib/platform/outbound-http/client';
import {
  startWebhookReceiver,
  verifyReceived,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { activeSecrets, mintSigningSecret, rotationEnd, signWebhook } from './signing';

const body = '{"type":"chain.completed","summary":"Ümlaut, 漢字, \\u0000, 🔧"}';

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(() => receiver.close());

async function deliver(secrets: [string, ...string[]], sentAt = new Date()) {
  const client = createOutboundClient({ allowPrivate: true });
  await client.request({
    url: receiver.url,
    method: 'POST',
    headers: signWebhook({ id: 'dlv_1', sentAt, body, secrets }),
    body,
    timeoutMs: 5_000,
    maxResponseBytes: 1_000,
  });
  const [request] = await receiver.waitForRequests(1);
  if (!request) throw new Error('Nothing arrived.');
  return request;
}

describe('[SAS-5.1] a signed webhook, checked by the reference library on the bytes that arrived', () => {
  it('verifies with its secret and with no other', async () => {
    const secret = mintSigningSecret();
    const request = await deliver([secret]);
    expect(verifyReceived(request, secret)).toEqual(JSON.parse(body));
    expect(() => verifyReceived(request, mintSigningSecret())).toThrow(WebhookVerificationError);
  });

  it.each(['body', 'webhook-id', 'webhook-timestamp'])(
    'does not verify with another %s',
    async (part) => {
      const secret = mintSigningSecret();
      const request = await deliver([secret]);
      if (part === 'body') request.rawBody = Buffer.concat([request.rawBody, Buffer.from(' ')]);
      else request.headers[part] = `${Number.parseInt(request.headers[part] ?? '', 10) + 1}`;
      expect(() => verifyReceived(request, secret)).toThrow(WebhookVerificationError);
    },
  );

  it('verifies with either secret while they rotate, and each header is as the standard says', async () => {
    const secrets: [string, string] = [mintSigningSecret(), mintSigningSecret()];
    const sentAt = new Date();
    const request = await deliver(secrets, sentAt);
    for (const secret of secrets) expect(verifyReceived(request, secret)).toBeTruthy();
    expect(request.headers['webhook-id']).toBe('dlv_1');
    expect(request.headers['webhook-timestamp']).toBe(`${Math.floor(sentAt.getTime() / 1_000)}`);
    expect(request.headers['webhook-signature']).toMatch(/^v1,[\w+/=]{44} v1,[\w+/=]{44}$/);
  });

  it('does not verify when it was signed long ago', async () => {
    const secret = mintSigningSecret();
    const request = await deliver([secret], new Date(Date.now() - 6 * 60_000));
    expect(() => verifyReceived(request, secret)).toThrow('too old');
  });
});

describe('a signing secret', () => {
  it('is minted in the form that the library takes, never twice the same', () => {
    const secret = mintSigningSecret();
    expect(new Webhook(secret).sign('a', new Date(), 'b')).toMatch(/^v1,/);
    expect(mintSigningSecret()).not.toBe(secret);
  });

  const now = new Date('2026-11-21T14:00:00Z');
  const later = new Date('2026-11-22T14:00:00Z');
  it.each([
    ['before any rotation', { previous: null, previousUntil: null }, now, ['new']],
    ['within a rotation', { previous: 'old', previousUntil: later }, now, ['new', 'old']],
    ['at its end', { previous: 'old', previousUntil: later }, later, ['new']],
  ])('signs %s', (_when, previous, at, expected) => {
    expect(activeSecrets({ current: 'new', ...previous }, at)).toEqual(expected);
    expect(rotationEnd(now)).toEqual(later);
  });
});

import { Webhook } from 'standardwebhooks';

export interface SignedHeaders extends Record<string, string> {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * The headers of Standard Webhooks for one sending: `id` is the delivery's and stays the same over
 * retries and replays, `sentAt` is this sending's. Every secret adds a signature, in order. The
 * bytes sent must be exactly `body` in UTF-8.
 */
export function signWebhook(sending: {
  id: string;
  sentAt: Date;
  body: string;
  secrets: readonly [string, ...string[]];
}): SignedHeaders {
  const { id, sentAt, body, secrets } = sending;
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body));
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

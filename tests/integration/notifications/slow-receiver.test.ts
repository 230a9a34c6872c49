import { expect, it } from 'vitest';
import { deliver } from '@/lib/deliveries/deliver';
import { createEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { listDueDeliveries, MAX_SENDING } from '@/lib/deliveries/outbox/sending-data';
import { createOutboundClient, type OutboundClient } from '@/lib/platform/outbound-http/client';
import { useTestDatabase } from '@/tests/support/database';
import { startWebhookReceiver, verifyReceived } from '@/tests/support/webhook-receiver/receiver';
import { makeTenant } from '../api/support/tenant';
import { chainEnd, readDelivery, sendersFor, tell } from './support';

useTestDatabase();

const SLOW = 'https://slow.example/t';
const QUICK = 'https://quick.example/t';

async function twoEndpoints() {
  const { scope } = await makeTenant();
  const shared = { description: '', eventTypes: ['chain.completed' as const], projectId: null };
  await createEndpoint(scope, { ...shared, url: SLOW });
  await createEndpoint(scope, { ...shared, url: QUICK });
  return scope;
}

it('a receiver that hangs holds up a few of its own messages and nobody else’s', async () => {
  const scope = await twoEndpoints();
  const now = new Date();
  const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
  const ids = await tell(
    scope,
    numbers.map((number) => chainEnd('fixed', number)),
    now,
  );
  const sent: string[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let hangs = () => {};
  const client: OutboundClient = {
    async request({ url }) {
      sent.push(url);
      if (url === SLOW) {
        hangs();
        await answered;
      }
      const rest = { bodyText: '', isBodyTruncated: false, durationMs: 1, address: '' };
      return { ok: true, status: 204, headers: {}, ...rest };
    },
  };
  const using = { http: client, trustedHttp: client, mailer: null };
  const running: Promise<void>[] = [];
  for (const id of ids) {
    const hanging = new Promise<void>((resolve) => {
      hangs = resolve;
    });
    const one = deliver(scope, id, now, using);
    running.push(one);
    await Promise.race([one, hanging]);
  }
  expect(sent.filter((url) => url === QUICK)).toHaveLength(12);
  expect(sent.filter((url) => url === SLOW)).toHaveLength(MAX_SENDING.healthyRecipient);
  answer();
  await Promise.all(running);
  expect(sent.filter((url) => url === SLOW)).toHaveLength(MAX_SENDING.healthyRecipient);
  expect(await listDueDeliveries(now)).not.toHaveLength(0);
});

it('a long queue for one recipient leaves room in every sweep', async () => {
  const scope = await twoEndpoints();
  const now = new Date(Date.now() + 60_000);
  const numbers = Array.from({ length: 40 }, (_, index) => index + 100);
  await tell(
    scope,
    numbers.map((number) => chainEnd('fixed', number)),
    now,
  );
  const due = await listDueDeliveries(now, 8);
  const rows = await Promise.all(
    due
      .filter(({ organizationId }) => organizationId === scope.organizationId)
      .map(({ deliveryId }) => readDelivery(scope, deliveryId)),
  );
  expect(new Set(rows.map((row) => row.endpointId)).size).toBe(2);
});

it('[SAS-5.1] a crash between sending and recording sends again under the same id', async () => {
  const receiver = await startWebhookReceiver();
  try {
    const { scope } = await makeTenant();
    const { secret } = await createEndpoint(scope, {
      url: receiver.url,
      description: '',
      eventTypes: ['chain.completed'],
      projectId: null,
    });
    const now = new Date();
    const [id = ''] = await tell(scope, [chainEnd('fixed')], now);
    const real = createOutboundClient({ allowPrivate: true });
    const crashing: OutboundClient = {
      async request(request) {
        await real.request(request);
        throw new Error('the process died');
      },
    };
    const using = { http: crashing, trustedHttp: crashing, mailer: null };
    await expect(deliver(scope, id, now, using)).rejects.toThrow('the process died');
    await deliver(scope, id, new Date(now.getTime() + 120_000), sendersFor(null));
    const [first, second] = receiver.received;
    if (!first || !second) throw new Error('It was not sent twice.');
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(verifyReceived(first, secret)).toEqual(JSON.parse(second.rawBody.toString('utf8')));
    expect(await readDelivery(scope, id)).toMatchObject({ status: 'delivered', attempts: 2 });
  } finally {
    await receiver.close();
  }
});

it.each([
  ['never answers', { kind: 'silence' as const }, 'response_timeout'],
  ['redirects', { status: 302, headers: { location: 'http://169.254.169.254/' } }, 'redirect'],
  ['sends 20 MB', { status: 500, body: Buffer.alloc(20_000_000, 'x') }, null],
  ['sends garbage', { status: 500, body: Buffer.from([0, 255, 254, 0]) }, null],
])('a receiver that %s costs one recorded attempt', async (_what, answer, error) => {
  const receiver = await startWebhookReceiver();
  try {
    const { scope } = await makeTenant();
    await createEndpoint(scope, {
      url: receiver.url,
      description: '',
      eventTypes: ['chain.completed'],
      projectId: null,
    });
    const [id = ''] = await tell(scope, [chainEnd('fixed')]);
    receiver.answerWith(answer);
    const real = createOutboundClient({ allowPrivate: true });
    const hasty: OutboundClient = {
      request: (request) =>
        real.request({ ...request, timeoutMs: error === 'response_timeout' ? 300 : 5_000 }),
    };
    await deliver(scope, id, new Date(), { http: hasty, trustedHttp: hasty, mailer: null });
    const row = await readDelivery(scope, id);
    expect(row).toMatchObject({ status: 'retrying', attempts: 1, log: [{ error }] });
    expect(row.log[0]?.responseExcerpt.length).toBeLessThanOrEqual(4_096);
    expect(receiver.received).toHaveLength(1);
  } finally {
    await receiver.close();
  }
});

import net from 'node:net';
import tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from '@/tests/support/webhook-receiver/receiver';
import { scriptedResolver } from '@/tests/support/webhook-receiver/resolver';
import { createOutboundClient, type OutboundClientOptions, type OutboundRequest } from './client';

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await receiver.close();
});

function send(options: OutboundClientOptions, request: Partial<OutboundRequest> = {}) {
  return createOutboundClient(options).request({
    url: receiver.url,
    method: 'POST',
    headers: {},
    timeoutMs: 5_000,
    maxResponseBytes: 1_000,
    ...request,
  });
}

describe('[SAS-5.1] a private or metadata address is refused', () => {
  it.each([
    ['decimal', (port: number) => `https://2130706433:${port}/`],
    ['hexadecimal', (port: number) => `https://0x7f000001:${port}/`],
    ['octal', (port: number) => `https://0177.0.0.1:${port}/`],
    ['short', (port: number) => `https://127.1:${port}/`],
    ['plain http', (port: number) => `http://127.0.0.1:${port}/`],
    ['IPv6 loopback', (port: number) => `https://[::1]:${port}/`],
    ['IPv4-mapped', (port: number) => `https://[::ffff:127.0.0.1]:${port}/`],
    ['6to4', (port: number) => `https://[2002:7f00:1::]:${port}/`],
    ['localhost', (port: number) => `https://localhost:${port}/`],
  ])('written as %s', async (_form, url) => {
    const result = await send({ allowPrivate: false }, { url: url(receiver.port) });
    expect(result).toMatchObject({ ok: false, reason: 'private_address', isPermanent: true });
    expect(receiver.received).toHaveLength(0);
  });

  it.each([
    ['a private address', ['10.0.4.7']],
    ['loopback', ['127.0.0.1']],
    ['an IPv4-mapped address', ['::ffff:127.0.0.1']],
    ['a 6to4 address', ['2002:7f00:1::']],
    ['a NAT64 address', ['64:ff9b::7f00:1']],
    ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
  ])('behind a name that resolves to %s', async (_what, addresses) => {
    const tcp = vi.spyOn(net.Socket.prototype, 'connect');
    const result = await send(
      { allowPrivate: false, resolve: scriptedResolver(addresses) },
      { url: `https://hooks.internal:${receiver.port}/` },
    );
    expect(result).toMatchObject({ ok: false, reason: 'dns_failed', address: null });
    // The socket asked for the addresses, got none, and so dialled none.
    expect(tcp.mock.results).toHaveLength(1);
    expect(receiver.received).toHaveLength(0);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:a9fe:a9fe]/',
  ])('%s, even when private targets are allowed', async (url) => {
    expect(await send({ allowPrivate: true }, { url })).toMatchObject({
      ok: false,
      reason: 'metadata_address',
      isPermanent: true,
    });
  });

  it('when a name changes its answer after the check (DNS rebinding)', async () => {
    const dialled: string[] = [];
    // Stands where the network begins: notes what would be dialled, and dials nothing.
    vi.spyOn(tls, 'connect').mockImplementation(((options: tls.ConnectionOptions) => {
      const socket = new net.Socket();
      options.lookup?.('rebind.example', { all: true }, (error, addresses) => {
        if (Array.isArray(addresses)) dialled.push(...addresses.map(({ address }) => address));
        socket.destroy(error ?? Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
      });
      return socket;
    }) as unknown as typeof tls.connect);
    const resolve = scriptedResolver(['93.184.216.34'], ['127.0.0.1']);
    const client = createOutboundClient({ allowPrivate: false, resolve });
    const request: OutboundRequest = {
      url: `https://rebind.example:${receiver.port}/`,
      method: 'POST',
      headers: {},
      timeoutMs: 5_000,
      maxResponseBytes: 1_000,
    };

    expect(await client.request(request)).toMatchObject({ reason: 'connection_refused' });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(await client.request(request)).toMatchObject({ reason: 'dns_failed' });
    expect(dialled).toEqual(['93.184.216.34']);
  });

  it('although an earlier connection to the same name was fine', async () => {
    const resolve = scriptedResolver(['127.0.0.1'], ['169.254.169.254']);
    const client = createOutboundClient({ allowPrivate: true, resolve });
    const request: OutboundRequest = {
      url: `http://rebind.example:${receiver.port}/`,
      method: 'POST',
      headers: {},
      timeoutMs: 5_000,
      maxResponseBytes: 1_000,
    };
    expect(await client.request(request)).toMatchObject({ ok: true });
    expect(await client.request(request)).toMatchObject({ reason: 'dns_failed' });
    expect(receiver.received).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])(
    'behind a redirect %i, which is not followed',
    async (status) => {
      const secret = await startWebhookReceiver();
      receiver.answerWith({ status, headers: { location: secret.url } });
      expect(await send({ allowPrivate: true })).toMatchObject({
        ok: false,
        reason: 'redirect',
        status,
        isPermanent: false,
      });
      expect(secret.received).toHaveLength(0);
      await secret.close();
    },
  );
});

describe('[SEC-3.2] a name of the operator’s network', () => {
  it.each([
    ['a private address', ['10.0.4.7'], false],
    ['loopback', ['::1'], false],
    ['a public and a private address', ['93.184.216.34', '10.0.4.7'], false],
    ['a metadata address', ['169.254.169.254'], false],
    ['a metadata address, with private ones allowed', ['2002:a9fe:a9fe::'], true],
  ])(
    'that resolves to %s looks like one that doesn’t exist',
    async (_what, found, allowPrivate) => {
      const url = `https://db.internal:${receiver.port}/`;
      const [refused, missing] = await Promise.all(
        [found, []].map((addresses) =>
          send({ allowPrivate, resolve: scriptedResolver(addresses) }, { url }),
        ),
      );
      expect(refused).toEqual(missing);
      expect(refused).toMatchObject({ ok: false, reason: 'dns_failed', isPermanent: false });
      expect(receiver.received).toHaveLength(0);
    },
  );
});

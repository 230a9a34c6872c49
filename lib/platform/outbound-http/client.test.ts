import net from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCertificate } from '@/tests/support/webhook-receiver/certificate';
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
  vi.unstubAllEnvs();
  await receiver.close();
});

function send(options: OutboundClientOptions, request: Partial<OutboundRequest> = {}) {
  return createOutboundClient(options).request({
    url: receiver.url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":"ü"}',
    timeoutMs: 5_000,
    maxResponseBytes: 1_000,
    ...request,
  });
}

describe('an answer', () => {
  it('comes back with status, headers, body and the address', async () => {
    receiver.answerWith({ status: 201, headers: { 'X-Note': 'hi' }, body: 'thanks' });
    const result = await send({ allowPrivate: true }, { url: `${receiver.url}?a=1#part` });
    expect(result).toMatchObject({
      ok: true,
      status: 201,
      headers: { 'x-note': 'hi' },
      bodyText: 'thanks',
      isBodyTruncated: false,
      address: '127.0.0.1',
    });
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]).toMatchObject({ method: 'POST', path: '/hook?a=1' });
    expect(receiver.received[0]?.rawBody.toString()).toBe('{"a":"ü"}');
  });

  it('of 500 is an answer, too', async () => {
    receiver.answerWith({ status: 500, body: 'upstream' });
    expect(await send({ allowPrivate: true })).toMatchObject({ ok: true, status: 500 });
  });

  it('is read up to the limit and no further', async () => {
    receiver.answerWith({ status: 200, body: Buffer.alloc(20_000_000, 'ü') });
    const result = await send({ allowPrivate: true }, { maxResponseBytes: 1_001 });
    expect(result).toMatchObject({ ok: true, bodyText: 'ü'.repeat(500), isBodyTruncated: true });
  });

  it('of exactly the limit is whole', async () => {
    receiver.answerWith({ status: 200, body: 'x'.repeat(1_000) });
    expect(await send({ allowPrivate: true })).toMatchObject({ isBodyTruncated: false });
  });

  it('keeps no NUL, which the database could not store', async () => {
    receiver.answerWith({ status: 200, body: 'a\0b' });
    expect(await send({ allowPrivate: true })).toMatchObject({ bodyText: 'a\uFFFDb' });
  });
});

describe('https', () => {
  const tlsOptions = createCertificate('hooks.example');
  let secure: WebhookReceiver;
  beforeAll(async () => {
    secure = await startWebhookReceiver({ tls: tlsOptions });
  });
  afterAll(() => secure.close());

  const resolve = scriptedResolver(['127.0.0.1']);
  const url = (host: string) => `https://${host}:${secure.port}/`;

  it('is spoken with a certificate that is trusted and fits the name', async () => {
    const options = { allowPrivate: true, resolve, certificateAuthority: tlsOptions.certificate };
    expect(await send(options, { url: url('hooks.example') })).toMatchObject({
      ok: true,
      status: 204,
      address: '127.0.0.1',
    });
    expect(await send(options, { url: url('other.example') })).toMatchObject({
      ok: false,
      reason: 'tls_failed',
      isPermanent: false,
    });
  });

  it('is not spoken with a certificate that nobody vouches for', async () => {
    const before = secure.received.length;
    const result = await send({ allowPrivate: true, resolve }, { url: url('hooks.example') });
    expect(result).toMatchObject({ ok: false, reason: 'tls_failed' });
    expect(secure.received).toHaveLength(before);
  });

  it('is not spoken by a server of plain http', async () => {
    const target = `https://127.0.0.1:${receiver.port}/`;
    expect(await send({ allowPrivate: true }, { url: target })).toMatchObject({
      ok: false,
      reason: 'tls_failed',
    });
  });
});

describe('a failure has a name', () => {
  it('bad_url for a URL with credentials', async () => {
    const url = `http://user:hunter2@127.0.0.1:${receiver.port}/`;
    const result = await send({ allowPrivate: true }, { url });
    expect(result).toMatchObject({ ok: false, reason: 'bad_url', isPermanent: true });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  it('http_not_allowed for plain http to a public name', async () => {
    const resolve = scriptedResolver(['127.0.0.1']);
    const result = await send({ allowPrivate: false, resolve }, { url: 'http://acme.example/' });
    expect(result).toMatchObject({ ok: false, reason: 'http_not_allowed', isPermanent: true });
    expect(resolve).not.toHaveBeenCalled();
  });

  it('dns_failed for a name without addresses', async () => {
    const options = { allowPrivate: true, resolve: scriptedResolver([]) };
    expect(await send(options, { url: 'http://nowhere.example/' })).toMatchObject({
      ok: false,
      reason: 'dns_failed',
      isPermanent: false,
    });
  });

  it('dns_failed when the resolver does not answer in time', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const request = { url: 'http://slow.example/', timeoutMs: 50 };
    expect(await send({ allowPrivate: true, resolve }, request)).toMatchObject({
      ok: false,
      reason: 'dns_failed',
    });
  });

  it('connection_refused when nothing listens', async () => {
    const gone = await startWebhookReceiver();
    await gone.close();
    expect(await send({ allowPrivate: true }, { url: gone.url })).toMatchObject({
      ok: false,
      reason: 'connection_refused',
      address: null,
    });
  });

  it('connection_timeout when the handshake does not end', async () => {
    const mute = net.createServer();
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const sockets = new Set<net.Socket>();
    mute.on('connection', (socket) => sockets.add(socket.resume()));
    const url = `https://127.0.0.1:${(mute.address() as net.AddressInfo).port}/`;
    expect(await send({ allowPrivate: true }, { url, timeoutMs: 100 })).toMatchObject({
      ok: false,
      reason: 'connection_timeout',
    });
    // The deadline closes the socket as well.
    await vi.waitFor(() => expect([...sockets].every((socket) => socket.closed)).toBe(true));
    await new Promise((resolve) => mute.close(resolve));
  });

  it.each(['silence', 'drip'] as const)('response_timeout on %s', async (kind) => {
    receiver.answerWith({ kind });
    expect(await send({ allowPrivate: true }, { timeoutMs: 200 })).toMatchObject({
      ok: false,
      reason: 'response_timeout',
      isPermanent: false,
      address: '127.0.0.1',
    });
  });

  it('too_large for endless headers', async () => {
    receiver.answerWith({ status: 200, headers: { 'x-long': 'x'.repeat(100_000) } });
    expect(await send({ allowPrivate: true })).toMatchObject({ ok: false, reason: 'too_large' });
  });

  it('other when the connection is cut', async () => {
    receiver.answerWith({ kind: 'reset' });
    expect(await send({ allowPrivate: true })).toMatchObject({
      ok: false,
      reason: 'other',
      isPermanent: false,
      message: 'The connection was closed before the response was complete.',
    });
  });
});

it('a proxy in the environment is not used', async () => {
  const proxy = await startWebhookReceiver();
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy.url);
  expect(await send({ allowPrivate: true })).toMatchObject({ ok: true });
  expect(proxy.received).toHaveLength(0);
  await proxy.close();
});

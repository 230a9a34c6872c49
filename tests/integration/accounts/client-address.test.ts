import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientAddress, noteClientAddresses } from '@/lib/platform/http/client-address';
import { useTestDatabase } from '@/tests/support/database';

useTestDatabase();
const PROXY = '127.0.0.2';
const STRANGER = '127.0.0.1';

/** Answers the address that a handler sees, and the names of its headers. */
const server = createServer((incoming, response) => {
  const headers = new Headers(incoming.headers as Record<string, string>);
  response.end(JSON.stringify({ address: clientAddress(headers), names: [...headers.keys()] }));
});

let stopNoting = () => {};
beforeAll(async () => {
  process.env.TIERWATCH_TRUSTED_PROXIES = PROXY;
  stopNoting = noteClientAddresses();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
// Other files share this process, and its servers.
afterAll(() => {
  stopNoting();
  delete process.env.TIERWATCH_TRUSTED_PROXIES;
  server.close();
});

async function ask(localAddress: string, headers: Record<string, string>) {
  const { port } = server.address() as AddressInfo;
  const asked = request({ host: '127.0.0.1', port, localAddress, headers }).end();
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return JSON.parse(text) as { address: string; names: string[] };
}

describe('[SEC-1.2] a request', () => {
  it('from anyone but a trusted proxy has the address of its connection', async () => {
    const headers = {
      'x-forwarded-for': '198.51.100.1',
      'x-real-ip': '198.51.100.1',
      forwarded: 'for=198.51.100.1',
      'x-tierwatch-address': '198.51.100.1',
    };
    expect((await ask(STRANGER, headers)).address).toBe(STRANGER);
  });

  it('from a trusted proxy has the address that the proxy appended', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1, 198.51.100.1' };
    expect((await ask(PROXY, headers)).address).toBe('198.51.100.1');
  });

  it('keeps its address when Next sends it to itself', async () => {
    const first = await ask(PROXY, { 'x-forwarded-for': '198.51.100.1' });
    const name = first.names.find((each) => each.startsWith('x-tierwatch-address-')) ?? '';
    expect((await ask(STRANGER, { [name]: '198.51.100.1' })).address).toBe('198.51.100.1');
  });

  it('has none that a client could choose before addresses are noted', () => {
    const headers = new Headers({ 'x-forwarded-for': '198.51.100.1' });
    expect(clientAddress(headers)).toBe('unknown');
  });
});

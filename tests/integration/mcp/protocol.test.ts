/** The MCP server over real HTTP, with the reference client in both eras of the protocol. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopeOfApiToken } from '@/lib/identity/tenancy/make-scope';
import { API_PER_TOKEN, consume } from '@/lib/platform/rate-limits';
import { useTestDatabase } from '@/tests/support/database';
import { type ApiServer, startApiServer } from '../api/support/server';
import { makeTenant, type Tenant } from '../api/support/tenant';
import { type SeededChain, seedThreeTierChain } from '../api/support/three-tier-chain';
import { connect, ERAS } from './support/mcp-client';

useTestDatabase();

let server: ApiServer;
let tenant: Tenant;
let token: string;
let chain: SeededChain;
beforeAll(async () => {
  server = await startApiServer('mcp');
  tenant = await makeTenant('Mcp');
  chain = await seedThreeTierChain(tenant);
  token = await tenant.token('all');
});
afterAll(() => server.close());

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

function send(
  body: unknown = LIST,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
) {
  return fetch(`${server.url}/api/mcp${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** A request of the 2026 protocol. */
function modern(method: string, params: Record<string, unknown> = {}) {
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'plain', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name: Record<string, string> =
    typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
  return send(
    { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: envelope } },
    { headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name } },
  );
}

describe.each(ERAS)('the reference client of the %s era', (era) => {
  it('[INC-4.3] lists tools and reads a chain by every form of its name', async () => {
    const session = await connect(era, { url: server.url, token });
    expect(session.client.getProtocolEra()).toBe(era);
    expect(session.client.getInstructions()).toContain('Start with get_status');
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name).slice(0, 2)).toEqual(['get_status', 'list_projects']);
    for (const { annotations, outputSchema } of tools) {
      expect(annotations).toMatchObject({ openWorldHint: expect.any(Boolean) });
      expect(outputSchema).toMatchObject({ type: 'object' });
    }
    for (const args of [
      { chain: 1, project: 'shop' },
      { chain: '#1', project: chain.projectId },
      { chain: 'Chain #1' },
      { chain: chain.chainId },
      { chain: `${server.url}/${tenant.slug}/projects/shop/chains/1` },
    ]) {
      const shown = await session.ok('get_chain', args);
      expect(shown, JSON.stringify(args)).toMatchObject({
        id: chain.chainId,
        project: 'shop',
        cost_usd: 2.5,
        sessions: [{ number: 18 }, { number: 19 }, { number: 20 }],
      });
    }
    await session.close();
  });

  it('[INC-4.3] gets errors as texts that say what to do', async () => {
    const session = await connect(era, { url: server.url, token });
    const unknown = await session.refused('get_chain', { chain: 99, project: 'shop' });
    expect(unknown).toMatch(/^get_chain failed \(not_found\)\. .*list_chains/);
    expect(await session.refused('list_chains', { limit: 51 })).toContain('at most 50 rows');
    expect(await session.refused('list_chains', { lmit: 5 })).toContain('"lmit"');
    expect(await session.refused('list_chains', { cursor: 'x' })).toContain('cursor is not valid');
    expect(await session.refused('delete_chain')).toContain('no tool “delete_chain”');
    expect(await session.refused('get_chain', { chain: 'https://evil.test/x' })).toContain(
      'another site',
    );
    await session.close();
  });

  it('[INC-4.3] a wrong token is refused, and says that the token is the reason', async () => {
    for (const wrong of [undefined, 'twk_wrong', `${token}x`]) {
      const failed = connect(era, { url: server.url, ...(wrong ? { token: wrong } : {}) });
      await expect(failed).rejects.toMatchObject({ status: 401 });
    }
  });
});

describe('[INC-4.3] HTTP of the MCP server', () => {
  it('answers requests of the 2026 protocol as JSON, for this token only', async () => {
    const response = await modern('tools/list');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { result } = await response.json();
    expect(result.tools.length).toBeGreaterThan(10);
    // What is listed depends on the token, so no shared cache may keep it.
    expect(result.cacheScope).toBe('private');
    const discovered = await (await modern('server/discover')).json();
    expect(discovered.result.supportedVersions).toContain('2026-07-28');
  });

  it('challenges without and with a wrong token', async () => {
    const none = await send(LIST, { headers: { authorization: '' } });
    expect(none.status).toBe(401);
    expect(none.headers.get('www-authenticate')).toMatch(/^Bearer/);
    const wrong = await send(LIST, { headers: { authorization: 'Bearer twk_nope' } });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('refuses pages of other sites before it looks at the token', async () => {
    for (const authorization of [`Bearer ${token}`, 'Bearer twk_nope']) {
      const headers = { origin: 'https://evil.test', authorization };
      expect((await send(LIST, { headers })).status).toBe(403);
    }
  });

  it('accepts a token in the header only', async () => {
    const response = await send(LIST, { query: `?token=${token}`, headers: { authorization: '' } });
    expect(response.status).toBe(400);
    expect((await response.json()).detail).toContain('revoke it');
  });

  it('has neither streams nor sessions', async () => {
    for (const method of ['GET', 'DELETE']) {
      const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
      const response = await fetch(`${server.url}/api/mcp`, { method, headers });
      expect(response.status, method).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    }
    const listened = await modern('subscriptions/listen', { filter: {} });
    expect(listened.status).toBe(404);
    expect(await listened.json()).toMatchObject({ id: 7, error: { code: -32_601 } });
  });

  it.each<[string, unknown, number]>([
    ['a batch, which would count once against the rate limit', [LIST, LIST], 400],
    ['what is not JSON', '{"jsonrpc":', 400],
    ['a body of 300 KB', { ...LIST, params: { x: 'x'.repeat(300_000) } }, 413],
    ['a message without a method', { jsonrpc: '2.0', id: 1 }, 400],
  ])('refuses %s', async (_, body, status) => {
    expect((await send(body)).status).toBe(status);
  });

  it('refuses a body that doesn’t say it is JSON', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await send(LIST, { headers })).status).toBe(415);
  });

  it('counts against the rate limit of the token, as the REST API does', async () => {
    const limited = await tenant.token('all');
    const { actor } = await scopeOfApiToken(limited);
    const headers = { authorization: `Bearer ${limited}` };
    const first = await send(LIST, { headers });
    const left = Number(first.headers.get('ratelimit-remaining'));
    expect(left).toBe(API_PER_TOKEN.points - 1);
    for (let count = 0; count < left; count += 1) await consume(API_PER_TOKEN, actor.id);
    const refused = await send(LIST, { headers });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('names the scopes to a token that has none for it', async () => {
    const other = await tenant.token('members:read');
    const response = await send(LIST, { headers: { authorization: `Bearer ${other}` } });
    expect(response.status).toBe(403);
    expect((await response.json()).detail).toContain('chains:read');
  });

  it('a client that falls back from the newest protocol is served', async () => {
    const client = new Client(
      { name: 'auto', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    );
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const url = new URL(`${server.url}/api/mcp`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    expect(client.getProtocolEra()).toBe('modern');
    await client.close();
  });
});

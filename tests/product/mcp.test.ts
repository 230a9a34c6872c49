/** The MCP server of a real web process: with both real CLIs, with the reference client, with bare HTTP. */
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { auditEntrySchema } from '@/lib/identity/audit/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { problemSchema } from '@/lib/platform/http/problem';
import { newestCli } from '../cli/support/clis';
import { connect, ERAS } from '../integration/mcp/support/mcp-client';
import { createProject } from '../support/system/chain-run';
import { useSharedSystem } from '../support/system/use-system';
import { type ClientRun, runClaudeClient } from './support/claude-client';

const system = useSharedSystem(async ({ api }) => {
  await createProject(api, { name: 'Shop', slug: 'shop', services: [] });
});

for (const cli of inject('clis')) {
  describe.skipIf(cli.problem !== null)(`Claude Code ${cli.version} as a client`, () => {
    let run: ClientRun;
    beforeAll(async () => {
      run = await runClaudeClient({
        binary: cli.binary,
        url: system.url,
        token: system.account.token,
        steps: [
          { tool: 'get_status' },
          { tool: 'run_chain', args: { project: 'shop', dry_run: true } },
          (results) => ({ tool: 'get_chain', args: { chain: idIn(results[1]) } }),
          { tool: 'run_chain', args: { project: 'shop' } },
          (results) => ({ tool: 'stop_chain', args: { chain: idIn(results[1]) } }),
        ],
      });
    });

    it('[INC-4.3] connects, and the model learns what the server is for', () => {
      expect(run.serverStatus, run.output).toBe('connected');
      const first = JSON.stringify(run.requests[0]?.body);
      expect(first).toContain('Start with get_status');
      expect(first).toContain('mcp__tierwatch__list_approvals');
    });

    it('[INC-4.3] reads results, runs a chain, and reads why a second one is refused', () => {
      const [status, started, chain, refused, stopped] = run.results;
      expect(JSON.parse(status ?? '')).toMatchObject({ projects: [{ slug: 'shop' }] });
      expect(JSON.parse(started ?? '')).toMatchObject({ status: 'queued', dry_run: true });
      expect(JSON.parse(chain ?? '')).toMatchObject({ id: idIn(started), decisions: [] });
      expect(refused).toContain('run_chain failed (conflict)');
      expect(JSON.parse(stopped ?? '')).toMatchObject({ outcome: 'stopped' });
    });

    it('[INC-4.3] is named in the audit log, with the tool call of its model', async () => {
      const chain = idIn(run.results[1]);
      const { data } = await system.api.get('audit?action=chain', pageSchema(auditEntrySchema));
      const called = ['chain.started', 'chain.stop_requested'];
      const own = data.filter(({ target, action }) => target === chain && called.includes(action));
      expect(own.map(({ action }) => action).toSorted()).toEqual(called);
      for (const { detail } of own) {
        expect(detail).toMatchObject({
          mcpClient: expect.stringMatching(new RegExp(`^claude-code.${cli.version}`)),
          toolUseId: expect.stringMatching(/^toolu_/),
        });
      }
    });

    // What follows is ours: the versions of the CLI have no part in it.
    if (cli.version !== newestCli()[0]?.version) return;

    it.each([
      ['a wrong token', 'twk_wrong'],
      ['no token', null],
    ])('[INC-4.3] with %s doesn’t connect, and offers no tool', async (_, token) => {
      const refused = await runClaudeClient({
        binary: cli.binary,
        url: system.url,
        token,
        steps: [],
      });
      expect(refused.serverStatus, refused.output).toMatch(/^(?:failed|needs-auth)$/);
      expect(refused.requests[0]?.tools.filter((name) => name.includes('chain'))).toEqual([]);
    });
  });
}

describe('the reference client', () => {
  it.each(ERAS)('[INC-4.3] of the %s era works through the web process', async (era) => {
    const options = { url: system.url, token: system.account.token };
    const session = await connect(era, options);
    expect(session.client.getProtocolEra()).toBe(era);
    expect(await session.ok('list_projects')).toMatchObject({ projects: [{ slug: 'shop' }] });
    expect(await session.refused('get_chain', { chain: 999 })).toContain('(not_found)');
    await session.close();
    const reader = await connect(era, { ...options, query: '?mode=read' });
    expect(await reader.toolNames()).not.toContain('run_chain');
    await reader.close();
  });

  it('[INC-4.3] is cut off by the next message once its token is revoked', async () => {
    const { scope } = system.account;
    const { token, id } = await createApiToken(scope, {
      name: 'short-lived',
      scopes: ['projects:read'],
      expiresInDays: 1,
    });
    const session = await connect('modern', { url: system.url, token });
    await session.ok('list_projects');
    expect((await system.api.send('DELETE', `tokens/${id}`)).ok).toBe(true);
    await expect(session.call('list_projects')).rejects.toMatchObject({ status: 401 });
    await session.close();
  });
});

describe('bare HTTP', () => {
  it.each([
    ['GET', '/.well-known/oauth-protected-resource/api/mcp'],
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/.well-known/openid-configuration'],
    ['POST', '/register'],
  ])('[INC-4.3] %s %s says as JSON that there is no OAuth server', async (method, path) => {
    const response = await fetch(`${system.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });
    expect(response.status).toBe(404);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(problemSchema.parse(await response.json()).detail).toContain('API token');
  });

  it.each([
    ['GET', 405],
    ['DELETE', 405],
    ['PUT', 405],
  ])('[INC-4.3] %s is answered with %d', async (method, status) => {
    const headers = { authorization: `Bearer ${system.account.token}` };
    const response = await fetch(`${system.url}/api/mcp`, { method, headers });
    expect(response.status).toBe(status);
  });

  it('[INC-4.3] a page of another site is refused, with a valid token too', async () => {
    const response = await fetch(`${system.url}/api/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${system.account.token}`,
        'content-type': 'application/json',
        origin: 'https://evil.test',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

/** The id of the chain in a result. */
function idIn(result: string | undefined): string {
  return (JSON.parse(result ?? '{}') as { id: string }).id;
}

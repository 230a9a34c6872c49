import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckResultEvent } from '@/lib/protocol/events';
import { MARKER_VARIABLE } from '@/lib/protocol/project-folder';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { mcpServerCommand } from '@/workers/runner/agent-socket/mcp-server-command';
import { type AgentSocket, openAgentSocket } from '@/workers/runner/agent-socket/server';
import { answerChecks } from '@/workers/runner/attempt/requested-checks';

describe('the MCP server', () => {
  let dir = '';
  const checked: CheckResultEvent[] = [];
  let socket: AgentSocket;
  let listener: Server;
  let client: Client;

  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'check-server-'));
    listener = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const servicesFile = path.join(dir, 'services.json');
    const services: ServiceSpec[] = [
      { name: 'db', checks: [{ type: 'tcp', target: `127.0.0.1:${port}`, timeoutSeconds: 5 }] },
      {
        name: 'web',
        checks: [{ type: 'process', target: path.join(dir, 'web.pid'), timeoutSeconds: 5 }],
      },
    ];
    await writeFile(servicesFile, JSON.stringify(services));
    socket = await openAgentSocket(dir);
    const checks = answerChecks({ services }, (check) => void checked.push(check));
    socket.serve('one', async (ask) =>
      ask.kind === 'check' ? checks.answer(ask.service) : { ok: false, error: 'unexpected' },
    );
    const { command, args, env } = mcpServerCommand({
      root: checkout,
      servicesFile,
      socketPath: socket.path,
      keepsNotes: false,
    });
    client = new Client({ name: 'test', version: '1' });
    const withMarker = { ...env, [MARKER_VARIABLE]: 'one' };
    await client.connect(new StdioClientTransport({ command, args, env: withMarker, cwd: dir }));
  });

  afterAll(async () => {
    await client.close();
    listener.close();
    socket.close();
    await rm(dir, { recursive: true });
  });

  async function call(args: { service?: string }) {
    const answer = await client.callTool({ name: 'check', arguments: args });
    return { isError: answer.isError === true, text: JSON.stringify(answer.content) };
  }

  it('has the runner run the checks of one service over real sockets', async () => {
    expect((await call({ service: 'db' })).text).toContain('db: healthy');
    expect(checked).toMatchObject([{ service: 'db', type: 'tcp', status: 'healthy' }]);
  });

  it('runs all services when none is named', async () => {
    const { text } = await call({});
    expect(text).toContain('db: healthy');
    expect(text).toContain('web: down');
    const later = checked.slice(1);
    expect(later.map(({ service }) => service).sort()).toEqual(['db', 'web']);
  });

  it('names the configured services when asked for another', async () => {
    expect(await call({ service: 'cache' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Configured services: db, web.'),
    });
  });
});

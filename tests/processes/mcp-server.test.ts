import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runnerEventSchema } from '@/lib/protocol/events';
import { checkout } from '@/scripts/bootstrap/folders.mjs';
import { mcpServerCommand } from '@/workers/runner/mcp/server-command';

describe('the MCP server', () => {
  let dir = '';
  let reportFile = '';
  let listener: Server;
  let client: Client;

  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'check-server-'));
    listener = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const servicesFile = path.join(dir, 'services.json');
    reportFile = path.join(dir, 'report.jsonl');
    await writeFile(
      servicesFile,
      JSON.stringify([
        { name: 'db', checks: [{ type: 'tcp', target: `127.0.0.1:${port}` }] },
        { name: 'web', checks: [{ type: 'process', target: path.join(dir, 'web.pid') }] },
      ]),
    );
    const { command, args, env } = mcpServerCommand({ root: checkout, servicesFile, reportFile });
    client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command, args, env, cwd: dir }));
  });

  afterAll(async () => {
    await client.close();
    listener.close();
    await rm(dir, { recursive: true });
  });

  async function call(args: { service?: string }) {
    const answer = await client.callTool({ name: 'check', arguments: args });
    return { isError: answer.isError === true, text: JSON.stringify(answer.content) };
  }

  async function reported() {
    const lines = (await readFile(reportFile, 'utf8')).trim().split('\n');
    return lines.map((line) =>
      runnerEventSchema.parse({ kind: 'check_result', ...JSON.parse(line) }),
    );
  }

  it('runs the checks of one service over real sockets and reports each to the runner', async () => {
    expect((await call({ service: 'db' })).text).toContain('db: healthy');
    expect(await reported()).toMatchObject([{ service: 'db', type: 'tcp', status: 'healthy' }]);
  });

  it('runs all services when none is named', async () => {
    const { text } = await call({});
    expect(text).toContain('db: healthy');
    expect(text).toContain('web: down');
    const later = (await reported()).slice(1);
    expect(later.map((event) => 'service' in event && event.service).sort()).toEqual(['db', 'web']);
  });

  it('names the configured services when asked for another', async () => {
    expect(await call({ service: 'cache' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Configured services: db, web.'),
    });
  });
});

/** A smallest MCP server with the one tool every tier has; it is up after `argv[2]` milliseconds. */
import { setTimeout as delay } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const server = new McpServer({ name: 'tierwatch', version: '1' });
server.registerTool(
  'check',
  { description: 'Runs the checks of a service.', inputSchema: { service: z.string() } },
  async ({ service }) => ({ content: [{ type: 'text', text: `${service} is healthy` }] }),
);
await delay(Number(process.argv[2] ?? 0));
await server.connect(new StdioServerTransport());

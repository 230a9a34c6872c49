/** A smallest MCP server with the one tool every tier has. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'tierwatch', version: '1' });
server.registerTool(
  'check',
  { description: 'Runs the checks of a service.', inputSchema: { service: z.string() } },
  async ({ service }) => ({ content: [{ type: 'text', text: `${service} is healthy` }] }),
);
await server.connect(new StdioServerTransport());

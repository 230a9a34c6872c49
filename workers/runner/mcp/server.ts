/** The MCP server that a runner gives to every agent, over stdio. */
import { readFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { serviceSchema } from '@/lib/protocol/spec';
import { registerCheck } from './check-tool';
import { registerNotes } from './note-tools';
import { NOTES_VARIABLE, SERVICES_VARIABLE } from './server-command';

const environment = z.object({
  [SERVICES_VARIABLE]: z.string().min(1),
  [NOTES_VARIABLE]: z.literal('on').optional(),
});
const env = environment.parse(process.env);
const services = z
  .array(serviceSchema)
  .parse(JSON.parse(await readFile(env[SERVICES_VARIABLE], 'utf8')));

const server = new McpServer({ name: 'tierwatch', version: '1.0.0' });
registerCheck(
  server,
  services.map(({ name }) => name),
);
if (env[NOTES_VARIABLE]) registerNotes(server);
await server.connect(new StdioServerTransport());

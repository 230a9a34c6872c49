/** The MCP server that a runner gives to every agent, over stdio. */
import { readFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { serviceSchema } from '@/lib/protocol/spec';
import { askRunner } from '../agent-socket/ask-runner';
import { registerNotes } from './note-tools';
import { NOTES_VARIABLE, SERVICES_VARIABLE } from './server-command';

/** A check may take a minute, and the runner may have other agents' checks to run first. */
const ANSWER_MS = 180_000;

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

/** @param services names of those that may be checked */
function registerCheck(server: McpServer, services: readonly string[]): void {
  server.registerTool(
    'check',
    {
      description: `Runs the configured health checks from the monitoring host and returns their results. Services: ${services.join(', ')}.`,
      inputSchema: {
        service: z.string().optional().describe('One service; all services if omitted.'),
      },
      annotations: { readOnlyHint: true },
    },
    async ({ service }) => {
      const given = await askRunner({ kind: 'check', service }, ANSWER_MS);
      const text = given.ok ? given.text : given.error;
      return { content: [{ type: 'text' as const, text }], isError: !given.ok };
    },
  );
}

/**
 * MCP server over stdio with one tool: it runs the checks of a service and answers in words.
 * Each outcome is also appended to the runner's report file, where it is a fact and not a claim.
 */
import { appendFile, readFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import type { CheckOutcome } from '@/lib/checks/outcome';
import { runServiceChecks } from '@/lib/checks/run-check';
import { type ServiceSpec, serviceSchema } from '@/lib/runner-protocol/spec';
import { checkAnswer } from './check-answer';
import { REPORT_VARIABLE, SERVICES_VARIABLE } from './check-server-command';

const environment = z.object({
  [SERVICES_VARIABLE]: z.string().min(1),
  [REPORT_VARIABLE]: z.string().min(1),
});
const env = environment.parse(process.env);
const services = z
  .array(serviceSchema)
  .parse(JSON.parse(await readFile(env[SERVICES_VARIABLE], 'utf8')));

const server = new McpServer({ name: 'tierwatch', version: '1.0.0' });

server.registerTool(
  'check',
  {
    description: `Runs the configured health checks from the monitoring host and answers with their results. Services: ${services.map(({ name }) => name).join(', ')}.`,
    inputSchema: { service: z.string().optional().describe('One service; all of them if absent.') },
    annotations: { readOnlyHint: true },
  },
  async ({ service }) => {
    const wanted =
      service === undefined ? services : services.filter(({ name }) => name === service);
    if (wanted.length === 0) return unknownService(service);
    const answers = await Promise.all(wanted.map(checkOne));
    return { content: [{ type: 'text' as const, text: answers.join('\n') }] };
  },
);

await server.connect(new StdioServerTransport());

async function checkOne(service: ServiceSpec): Promise<string> {
  const outcomes = await runServiceChecks(service);
  await report(outcomes);
  return checkAnswer(service.name, outcomes);
}

/** One write per service, so that lines of two services never mix. */
async function report(outcomes: CheckOutcome[]): Promise<void> {
  const lines = outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join('');
  if (lines) await appendFile(env[REPORT_VARIABLE], lines, { mode: 0o600 });
}

function unknownService(name: string | undefined) {
  const known = services.map((service) => service.name).join(', ') || 'none';
  const text =
    name === undefined
      ? 'No services are configured.'
      : `There is no service "${name}". Configured services: ${known}.`;
  return { content: [{ type: 'text' as const, text }], isError: name !== undefined };
}

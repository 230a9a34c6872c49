/** The tool `check`: runs the checks of a service and answers in words. */
import { appendFile } from 'node:fs/promises';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { CheckOutcome } from '@/lib/protocol/checks/outcome';
import { runServiceChecks } from '@/lib/protocol/checks/run-check';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { checkAnswer } from './check-answer';

/** `reportFile`: each outcome is appended to it, where it is a fact and not a claim. */
export function registerCheck(
  server: McpServer,
  services: ServiceSpec[],
  reportFile: string,
): void {
  server.registerTool(
    'check',
    {
      description: `Runs the configured health checks from the monitoring host and returns their results. Services: ${services.map(({ name }) => name).join(', ')}.`,
      inputSchema: {
        service: z.string().optional().describe('One service; all services if omitted.'),
      },
      annotations: { readOnlyHint: true },
    },
    async ({ service }) => {
      const wanted =
        service === undefined ? services : services.filter(({ name }) => name === service);
      if (wanted.length === 0) return unknownService(service, services);
      const answers = await Promise.all(wanted.map(checkOne));
      return { content: [{ type: 'text' as const, text: answers.join('\n') }] };
    },
  );

  async function checkOne(service: ServiceSpec): Promise<string> {
    const outcomes = await runServiceChecks(service);
    await report(outcomes);
    return checkAnswer(service.name, outcomes);
  }

  /** One write per service, so that lines of two services never mix. */
  async function report(outcomes: CheckOutcome[]): Promise<void> {
    const lines = outcomes.map((outcome) => `${JSON.stringify(outcome)}\n`).join('');
    if (lines) await appendFile(reportFile, lines, { mode: 0o600 });
  }
}

function unknownService(name: string | undefined, services: ServiceSpec[]) {
  const known = services.map((service) => service.name).join(', ') || 'none';
  const text =
    name === undefined
      ? 'No services are configured.'
      : `There is no service "${name}". Configured services: ${known}.`;
  return { content: [{ type: 'text' as const, text }], isError: name !== undefined };
}

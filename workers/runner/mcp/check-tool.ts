/** The tool `check`: has the runner run the checks of a service, and passes on its answer. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { askRunner } from '../agent-socket/ask-runner';

/** A check may take a minute, and the runner may have other agents' checks to run first. */
const ANSWER_MS = 180_000;

/** @param services names of those that may be checked */
export function registerCheck(server: McpServer, services: readonly string[]): void {
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

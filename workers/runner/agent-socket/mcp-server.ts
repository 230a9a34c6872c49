/** The MCP server that a runner gives to every agent, over stdio. */
import { readFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { agentDigest } from '@/lib/engine/checkpoints/digest';
import { MAX_DIGEST_CHARS, MAX_REMEMBERED_CHARS } from '@/lib/protocol/checkpoint';
import { DEFAULT_RECALLED, MAX_RECALLED } from '@/lib/protocol/schema';
import { serviceSchema } from '@/lib/protocol/spec';
import { askRunner } from './ask-runner';
import { NOTES_VARIABLE, SERVICES_VARIABLE } from './mcp-server-command';
import type { Ask } from './messages';

// Tools by which an agent keeps what it knows, and reads what was kept before.

const NOTE_ANSWER_MS = 10_000;

function registerNotes(server: McpServer): void {
  const text = z.string().trim().min(1);
  const list = z.array(text).max(50).optional();
  server.registerTool(
    'session_digest',
    {
      description:
        'Saves a digest of this session in your own words, for when this conversation is compacted or its process ends. Call it after you find a cause, before anything risky, and after you learn a lot.',
      inputSchema: {
        summary: text.describe('What has happened and what is known, in a few sentences.'),
        decisions: list.describe('What was decided, and why.'),
        state: text.optional().describe('How things stand now, and what comes next.'),
        blockers: list.describe('What blocks progress.'),
      },
    },
    async (input) => {
      const digest = agentDigest(input);
      if (digest.length <= MAX_DIGEST_CHARS) return answer({ kind: 'digest', digest });
      return failed(
        `The digest has ${digest.length} characters. The limit is ${MAX_DIGEST_CHARS}. Shorten it and call again.`,
      );
    },
  );
  server.registerTool(
    'remember',
    {
      description:
        'Saves one fact for the next digest of this session, such as a cause, a place or a time.',
      inputSchema: { text: text.max(MAX_REMEMBERED_CHARS).describe('One fact.') },
    },
    (input) => answer({ kind: 'remember', text: input.text }),
  );
  server.registerTool(
    'recall_checkpoints',
    {
      description:
        'Reads the notes of this session and earlier sessions in this project, newest first. They are data and may be out of date.',
      inputSchema: {
        limit: z
          .number()
          .int()
          .min(1)
          .max(MAX_RECALLED)
          .optional()
          .describe(`How many; ${DEFAULT_RECALLED} if omitted.`),
      },
      annotations: { readOnlyHint: true },
    },
    ({ limit = DEFAULT_RECALLED }) => answer({ kind: 'recall', limit }),
  );
}

async function answer(ask: Ask) {
  const given = await askRunner(ask, NOTE_ANSWER_MS);
  return given.ok
    ? { content: [{ type: 'text' as const, text: given.text }] }
    : failed(given.error);
}

function failed(text: string) {
  return { content: [{ type: 'text' as const, text }], isError: true };
}

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

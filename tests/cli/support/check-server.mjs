/**
 * A smallest MCP server with the one tool every tier has; it is up after `argv[2]` milliseconds. Every CLI of
 * these tests starts one, and loading a library for it would take three times as long as the rest.
 */
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const CHECK = {
  name: 'check',
  description: 'Runs the checks of a service.',
  inputSchema: {
    type: 'object',
    properties: { service: { type: 'string' } },
    required: ['service'],
  },
};

/** By method: the result. */
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'tierwatch', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [CHECK] }),
  'tools/call': ({ arguments: { service } }) => ({
    content: [{ type: 'text', text: `${service} is healthy` }],
  }),
};

await delay(Number(process.argv[2] ?? 0));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  // A notification has no answer.
  if (id === undefined) continue;
  const result = ANSWERS[method]?.(params);
  const answer = result ? { result } : { error: { code: -32601, message: `No ${method}.` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}

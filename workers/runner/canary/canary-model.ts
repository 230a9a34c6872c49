/**
 * What a canary's agent talks to instead of a model: a server on loopback that has it run two commands,
 * one that a rule allows and one that none does, and then ends. It costs nothing and knows no key.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';

export interface CanaryModel {
  url: string;
  close(): Promise<void>;
}

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  tools: z.array(z.looseObject({ name: z.string().optional() })).default([]),
  messages: z.array(z.looseObject({ content: z.unknown() })).default([]),
});
type Request = z.infer<typeof requestSchema>;

type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> };

const MAX_BODY_BYTES = 10_000_000;
const USAGE = { input_tokens: 1, output_tokens: 1 };

/** @param commands in order, each in a call of its own */
export async function startCanaryModel(commands: readonly string[]): Promise<CanaryModel> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (request.method !== 'POST') {
      response.writeHead(200).end();
    } else if (request.url?.includes('/count_tokens')) {
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ input_tokens: 1 }));
    } else {
      const parsed = requestSchema.parse(JSON.parse(body));
      send(response, parsed, nextBlock(parsed, commands));
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The CLI sends the whole conversation each time, so how far it got can be read from it. */
function nextBlock({ tools, messages }: Request, commands: readonly string[]): Block {
  const has = (name: string) => tools.some((tool) => tool.name === name);
  const results = messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter((part) => part?.type === 'tool_result').length;
  const command = commands[results];
  // Requests beside the conversation, for a title and the like, have no tools.
  if (!has('Bash')) return { type: 'text', text: 'canary' };
  if (command !== undefined) return call('Bash', { command, description: 'Canary' });
  if (has('StructuredOutput') && results === commands.length) {
    return call('StructuredOutput', { done: true });
  }
  return { type: 'text', text: 'done' };
}

function call(name: string, input: Record<string, unknown>): Block {
  return { type: 'tool_use', id: newId('toolu'), name, input };
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

const JSON_TYPE = { 'content-type': 'application/json' };

function send(response: ServerResponse, { model, stream }: Request, block: Block): void {
  const stop_reason = block.type === 'text' ? 'end_turn' : 'tool_use';
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    stop_sequence: null,
    usage: USAGE,
  };
  if (stream !== true) {
    response.writeHead(200, JSON_TYPE);
    response.end(JSON.stringify({ ...message, content: [block], stop_reason }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (data: { type: string } & Record<string, unknown>) =>
    response.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
  const isText = block.type === 'text';
  const delta = isText
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  event({ type: 'message_start', message: { ...message, content: [], stop_reason: null } });
  event({
    type: 'content_block_start',
    index: 0,
    content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
  });
  event({ type: 'content_block_delta', index: 0, delta });
  event({ type: 'content_block_stop', index: 0 });
  event({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: USAGE });
  event({ type: 'message_stop' });
  response.end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The request is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

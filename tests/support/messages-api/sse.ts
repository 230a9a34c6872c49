/** Writes one message the way the Messages API streams it. */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { MessageReply, ReplyBlock, ReplyUsage } from './reply';

function usageFields(usage: ReplyUsage, outputTokens: number) {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: outputTokens,
    service_tier: 'standard',
  };
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 18)}`;
}

export function messageBody(model: string, reply: MessageReply) {
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: reply.blocks.map((block) =>
      block.type === 'text' ? { type: 'text', text: block.text } : { ...block, id: newId('toolu') },
    ),
    stop_reason: reply.stopReason,
    stop_sequence: null,
    usage: usageFields(reply.usage, reply.usage.outputTokens),
  };
}

function send(response: ServerResponse, event: { type: string } & Record<string, unknown>) {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** The beginning of an answer; the API reports the input's tokens and one output token here. */
export function sendStart(response: ServerResponse, model: string, usage: ReplyUsage) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'request-id': newId('req') });
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usageFields(usage, 1),
  };
  send(response, { type: 'message_start', message });
}

export async function sendRest(response: ServerResponse, reply: MessageReply): Promise<void> {
  for (const [index, block] of reply.blocks.entries()) await sendBlock(response, index, block);
  send(response, {
    type: 'message_delta',
    delta: { stop_reason: reply.stopReason, stop_sequence: null },
    usage: usageFields(reply.usage, reply.usage.outputTokens),
  });
  send(response, { type: 'message_stop' });
  response.end();
}

async function sendBlock(response: ServerResponse, index: number, block: ReplyBlock) {
  const isText = block.type === 'text';
  const empty = isText
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: newId('toolu'), name: block.name, input: {} };
  const sendDelta = (delta: object) =>
    send(response, { type: 'content_block_delta', index, delta });
  send(response, { type: 'content_block_start', index, content_block: empty });
  if (isText) {
    const { texts, before } = block.pieces ?? { texts: [block.text], before: async () => {} };
    for (const [piece, text] of texts.entries()) {
      await before(piece);
      sendDelta({ type: 'text_delta', text });
    }
  } else {
    sendDelta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) });
  }
  send(response, { type: 'content_block_stop', index });
}

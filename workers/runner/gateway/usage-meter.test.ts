import { describe, expect, it } from 'vitest';
import { createUsageMeter } from './usage-meter';

const START = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    model: 'claude-haiku-5',
    usage: {
      input_tokens: 10,
      output_tokens: 1,
      cache_read_input_tokens: 300,
      cache_creation_input_tokens: 40,
    },
  },
};
const text = (value: string) => ({ type: 'content_block_delta', delta: { text: value } });
const DELTA = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: { output_tokens: 25 },
};
const STOP = { type: 'message_stop' };

const stream = (...events: { type: string }[]) =>
  Buffer.from(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );

function metered(contentType: string, ...chunks: Buffer[]) {
  const meter = createUsageMeter(contentType);
  for (const chunk of chunks) meter.push(chunk);
  return meter.request;
}

const SSE = 'text/event-stream; charset=utf-8';
const whole = {
  messageId: 'msg_1',
  model: 'claude-haiku-5',
  inputTokens: 10,
  outputTokens: 25,
  cacheReadTokens: 300,
  cacheWriteTokens: 40,
  isComplete: true,
};

describe('a stream', () => {
  const bytes = stream(START, text('Grüße, everything is fine.'), DELTA, STOP);

  it('is metered to its end, in one piece and byte by byte', () => {
    expect(metered(SSE, bytes)).toEqual(whole);
    expect(metered(SSE, ...[...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
  });

  it('cut at any byte it tells what had come until then, and never more than the whole', () => {
    // The last line ends in an empty one.
    for (let end = 0; end < bytes.length - 1; end += 1) {
      const request = metered(SSE, bytes.subarray(0, end));
      if (request === null) continue;
      expect(request).toMatchObject({
        inputTokens: 10,
        cacheReadTokens: 300,
        cacheWriteTokens: 40,
      });
      expect(request.outputTokens).toBeGreaterThanOrEqual(1);
      expect(request.outputTokens).toBeLessThanOrEqual(25);
      expect(request.isComplete).toBe(false);
    }
    expect(metered(SSE, stream(START))).toMatchObject({ outputTokens: 1 });
  });

  it('text that the provider has not counted yet counts by its length', () => {
    expect(metered(SSE, stream(START, text('x'.repeat(400))))).toMatchObject({
      outputTokens: 100,
      isComplete: false,
    });
  });

  it('[HLD-2.2] searches of the provider are counted', () => {
    const usage = { output_tokens: 25, server_tool_use: { web_search_requests: 2 } };
    const delta = { ...DELTA, usage };
    expect(metered(SSE, stream(START, delta, STOP))).toEqual({ ...whole, webSearches: 2 });
    expect(metered(SSE, stream(START, delta, DELTA, STOP))).toEqual({ ...whole, webSearches: 2 });
  });

  it('a line that is too long to tell usage is left out', () => {
    const long = Buffer.from(`data: ${'x'.repeat(1_500_000)}\n`);
    expect(metered(SSE, stream(START), long, stream(DELTA, STOP))).toEqual(whole);
  });
});

describe('a document', () => {
  const document = {
    ...{ type: 'message', id: 'msg_1', model: 'claude-haiku-5' },
    usage: { ...START.message.usage, output_tokens: 25 },
  };

  it('is metered once it is complete', () => {
    const bytes = Buffer.from(JSON.stringify(document));
    expect(metered('application/json', bytes.subarray(0, 20), bytes.subarray(20))).toEqual(whole);
    expect(metered('application/json', bytes.subarray(0, 20))).toBeNull();
  });

  it.each(['{"type":"error"}', 'nonsense', '', '[]', 'null'])('%j costs nothing', (body) => {
    expect(metered('application/json', Buffer.from(body))).toBeNull();
  });
});

it.each([-1, 1.5, '7', null, Number.MAX_VALUE])('a count of %j counts as none', (input_tokens) => {
  const start = { ...START, message: { ...START.message, usage: { input_tokens } } };
  expect(metered(SSE, stream(start))).toMatchObject({ inputTokens: 0 });
});

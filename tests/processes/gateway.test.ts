/** The model gateway under requests that no agent makes: cut anywhere, many at once, malformed, by a proxy. */
import {
  createServer,
  type Server as HttpServer,
  request as httpRequest,
  type IncomingHttpHeaders,
} from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLAUDE_PRICES } from '@/lib/agents/claude/prices';
import { estimateCost } from '@/lib/agents/prices';
import { logger } from '@/lib/platform/logger';
import { createGateway, type Gateway, type GatewayOptions } from '@/workers/runner/gateway/gateway';
import { modelDispatcher } from '@/workers/runner/gateway/http';
import type { MeteredRequest } from '@/workers/runner/gateway/usage-meter';

const MODEL = 'claude-haiku-4-5-20251001';

function sse(...events: ({ type: string } & Record<string, unknown>)[]): Buffer {
  return Buffer.from(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );
}

const STREAM = sse(
  {
    type: 'message_start',
    message: { id: 'msg_1', model: MODEL, usage: { input_tokens: 100, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'größer ✓' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 42 } },
  { type: 'message_stop' },
);

type Answer = Parameters<typeof createServer>[1];

let provider: HttpServer;
let answer: NonNullable<Answer>;
let asked: { url: string; key: string }[];
/** Bodies and headers of requests for messages, as the provider got them. */
let received: { body: Record<string, unknown>; bytes: number; headers: IncomingHttpHeaders }[];
let gateway: Gateway;
let port: Server;
let metered: (MeteredRequest & { durationMs: number })[];
let refusals: string[];
let timesUsedUp: number;
const opened: { close(done?: () => void): unknown }[] = [];

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

async function listening<Listener extends Server | HttpServer>(
  server: Listener,
): Promise<Listener> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(server);
  return server;
}

async function openGateway(
  env: Record<string, string> = {},
  changes: Partial<GatewayOptions> = {},
) {
  gateway = createGateway({
    provider: {
      kind: 'forwarded',
      url: `http://127.0.0.1:${portOf(provider)}`,
      headers: { 'x-api-key': 'key-of-the-runner' },
      addressVariable: 'ANTHROPIC_BASE_URL',
      placeholders: {},
    },
    dispatcher: modelDispatcher(env),
    prices: CLAUDE_PRICES,
    tier: { model: 'haiku', tools: ['Bash'] },
    budgetUsd: null,
    onMetered: (request) => metered.push(request),
    onBudgetUsed() {
      timesUsedUp += 1;
    },
    onRefused: (message) => refusals.push(message),
    ...changes,
  });
  port = await listening(createNetServer());
  gateway.serve(port);
}

beforeEach(async () => {
  // Hundreds of answers are cut off on purpose.
  logger.level = 'silent';
  asked = [];
  received = [];
  refusals = [];
  timesUsedUp = 0;
  metered = [];
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(STREAM);
  };
  provider = await listening(
    createServer((request, response) => {
      asked.push({ url: request.url ?? '', key: String(request.headers['x-api-key']) });
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks);
        if (request.url?.startsWith('/v1/messages/count_tokens') !== true) {
          const body = JSON.parse(text.toString());
          received.push({ body, bytes: text.length, headers: request.headers });
        }
        answer(request, response);
      });
    }),
  );
});
afterEach(() => {
  gateway.close();
  for (const server of opened.splice(0)) {
    (server as Partial<HttpServer>).closeAllConnections?.();
    server.close();
  }
});

interface Answered {
  status: number;
  body: Buffer;
  isWhole: boolean;
}

const BODY = { model: MODEL, stream: true, messages: [{ role: 'user', content: 'hi' }] };

function ask(
  path = '/v1/messages',
  body: unknown = BODY,
  headers: Record<string, string> = {},
  client?: AbortSignal,
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const request = httpRequest(
      {
        port: portOf(port),
        host: '127.0.0.1',
        path,
        method: 'POST',
        agent: false,
        headers: {
          ...{ 'content-type': 'application/json', 'x-api-key': 'of-the-sandbox' },
          ...headers,
        },
        ...(client ? { signal: client } : {}),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('close', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks),
            isWhole: response.complete,
          }),
        );
        response.on('error', () => {});
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.name === 'AbortError'
        ? resolve({ status: 0, body: Buffer.alloc(0), isWhole: false })
        : reject(error),
    );
    request.end(text);
  });
}

async function settled(count: number): Promise<void> {
  while (metered.length < count) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('[BND-3.2] what a request has cost', () => {
  it('is known wherever its answer is cut off, byte by byte', async () => {
    await openGateway();
    const begun = STREAM.indexOf('\n\n') + 1;
    const counted = STREAM.indexOf('"output_tokens":42');
    const ended = STREAM.indexOf('message_stop"}') + 'message_stop"}'.length;
    for (let cut = 0; cut <= STREAM.length; cut += 1) {
      metered = [];
      answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        response.write(STREAM.subarray(0, cut), () => response.destroy());
      };
      const { body } = await ask();
      expect(STREAM.subarray(0, cut).equals(body), `${cut} bytes`).toBe(true);
      if (cut < begun) {
        expect(metered, `${cut} bytes`).toEqual([]);
        continue;
      }
      await settled(1);
      const [request] = metered;
      expect(request, `${cut} bytes`).toMatchObject({ messageId: 'msg_1', inputTokens: 100 });
      expect(request?.isComplete, `${cut} bytes`).toBe(cut > ended);
      if (cut > ended) expect(request?.outputTokens).toBe(42);
      if (cut < counted) expect(request?.outputTokens).toBeLessThanOrEqual(3);
    }
  });

  it('is counted once for each of 200 parallel requests that were forwarded, and the others are refused', async () => {
    await openGateway();
    const waiting: (() => void)[] = [];
    answer = (_request, response) => {
      waiting.push(() => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(STREAM);
      });
      setTimeout(() => {
        for (const go of waiting.splice(0)) go();
      }, 50);
    };
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask()));
    const forwarded = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429 || status === 0);
    expect(forwarded.length).toBeGreaterThan(0);
    expect(forwarded.length + refused.length).toBe(200);
    expect(asked).toHaveLength(forwarded.length);
    await settled(forwarded.length);
    expect(metered).toHaveLength(forwarded.length);
    expect(gateway.isIdle()).toBe(true);
    expect((await ask()).status).toBe(200);
  });

  it('[INC-4.2] comes with its duration, from the request to the end of its answer', async () => {
    await openGateway();
    answer = (_request, response) => {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(STREAM);
      }, 120);
    };
    await ask();
    await settled(1);
    expect(metered[0]?.durationMs).toBeGreaterThanOrEqual(115);
  });

  it('is nothing for counting tokens and for answers that refuse', async () => {
    await openGateway();
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ input_tokens: 7 }));
    };
    expect((await ask('/v1/messages/count_tokens')).status).toBe(200);
    for (const status of [400, 429, 500, 529]) {
      answer = (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' });
        response.end(JSON.stringify({ type: 'error', error: { type: 'x', message: 'y' } }));
      };
      expect(await ask()).toMatchObject({ status, isWhole: true });
    }
    expect(metered).toEqual([]);
    expect(gateway.isIdle()).toBe(true);
  });
});

describe('[BND-3.1] the gateway', () => {
  it('sends the runner’s key and never the sandbox’s, and no other path', async () => {
    await openGateway();
    await ask();
    for (const path of [
      '/v1/models',
      '/v1/files',
      '/v1/messages/../files',
      '/v1/messages/batches',
      '//evil/v1/messages',
    ]) {
      expect((await ask(path)).status, path).not.toBe(200);
    }
    expect(asked).toEqual([{ url: '/v1/messages', key: 'key-of-the-runner' }]);
  });

  it.each([
    [
      'a length that is too short',
      'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\n{"model":"m"}',
    ],
    [
      'a length that is too long',
      'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 999\r\n\r\n{}',
    ],
    [
      'two lengths',
      'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}x',
    ],
    [
      'a length and chunks',
      'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no JSON', 'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhello'],
    ['no HTTP', '\u0000\u0001\u0002 garbage\r\n\r\n'],
  ])('forwards nothing of a request with %s', async (_what, raw) => {
    await openGateway();
    await new Promise<void>((resolve) => {
      const socket = connect(portOf(port), '127.0.0.1', () => socket.end(raw));
      socket.resume();
      socket.on('close', () => resolve());
      socket.on('error', () => resolve());
    });
    expect(asked).toEqual([]);
    expect((await ask()).status).toBe(200);
  });

  it('reaches the provider by the proxy that the runner names, except where it names none', async () => {
    const tunnels: string[] = [];
    const proxy = await listening(createServer());
    proxy.on('connect', (request, socket) => {
      tunnels.push(request.url ?? '');
      const onward = connect(portOf(provider), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        onward.pipe(socket).pipe(onward);
      });
      onward.on('error', () => socket.destroy());
      socket.on('error', () => onward.destroy());
    });
    const http_proxy = `http://127.0.0.1:${portOf(proxy)}`;
    await openGateway({ http_proxy });
    expect(await ask()).toMatchObject({ status: 200, isWhole: true });
    expect(tunnels).toEqual([`127.0.0.1:${portOf(provider)}`]);
    await settled(1);
    gateway.close();
    await openGateway({ http_proxy, no_proxy: '127.0.0.1' });
    expect((await ask()).status).toBe(200);
    expect(tunnels).toHaveLength(1);
  });
});

/** Prices of MODEL, in US dollars for a million tokens: input that is cached, and output. */
const [INPUT, OUTPUT] = [1.25, 5];

/**
 * A provider that charges as much as it may: a token for each byte, all written to its cache, and an answer
 * as long as the request allows. It adds up what it has charged.
 */
function expensive(options: { delayMs?: number; inputTokens?: number; tokens?: number } = {}) {
  const charged = { usd: 0, tokens: 0, requests: 0, atOnce: 0, mostAtOnce: 0 };
  answer = async (request, response) => {
    // It counts no tokens, so the gateway's own estimate holds.
    if (request.url !== '/v1/messages') return response.writeHead(404).end();
    const sent = received.at(-1);
    const body = sent?.body ?? {};
    const bytes = options.inputTokens ?? sent?.bytes ?? 0;
    charged.requests += 1;
    charged.atOnce += 1;
    charged.mostAtOnce = Math.max(charged.mostAtOnce, charged.atOnce);
    await new Promise((resolve) => setTimeout(resolve, options.delayMs ?? 30));
    charged.atOnce -= 1;
    const tokens = Math.min(options.tokens ?? Number.MAX_SAFE_INTEGER, Number(body.max_tokens));
    charged.usd += (bytes * INPUT + tokens * OUTPUT) / 1_000_000;
    charged.tokens += bytes + tokens;
    const id = `msg_${charged.requests}`;
    const usage = { input_tokens: 0, cache_creation_input_tokens: bytes };
    if (body.stream === true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        sse(
          {
            type: 'message_start',
            message: { id, model: MODEL, usage: { ...usage, output_tokens: 1 } },
          },
          { type: 'message_delta', delta: {}, usage: { output_tokens: tokens } },
          { type: 'message_stop' },
        ),
      );
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      const message = { type: 'message', id, model: MODEL };
      response.end(JSON.stringify({ ...message, usage: { ...usage, output_tokens: tokens } }));
    }
  };
  return charged;
}

const meteredUsd = () =>
  metered.reduce((sum, { model, ...each }) => sum + estimateCost(CLAUDE_PRICES, model, each), 0);
const meteredTokens = () =>
  metered.reduce((sum, each) => sum + each.cacheWriteTokens + each.outputTokens, 0);
const errorOf = ({ status, body }: Answered) => ({ status, ...JSON.parse(body.toString()).error });

describe('[HLD-2.1] 40 requests at once', () => {
  it.each([
    ['streamed', true, 64_000],
    ['not streamed', false, 64_000],
    ['streamed, short answers', true, 2_000],
    ['not streamed, short answers', false, 2_000],
    ['with no limit of their own', false, undefined],
  ])('spend the budget at most, %s', async (_what, stream, max_tokens) => {
    const charged = expensive();
    await openGateway({}, { budgetUsd: 0.5, waitMs: 60_000 });
    const body = { ...BODY, stream, max_tokens };
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask('/v1/messages', body)));
    await settled(charged.requests);
    expect(charged.usd).toBeLessThanOrEqual(0.5);
    // Not much less, either.
    expect(charged.usd).toBeGreaterThan(max_tokens === 2_000 ? 0.3 : 0.48);
    expect(charged.mostAtOnce).toBeLessThanOrEqual(6);
    expect(meteredUsd()).toBeCloseTo(charged.usd, 9);
    expect(meteredTokens()).toBe(charged.tokens);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(charged.requests);
    // Which of the two depends on when they came.
    expect([200, 402, 429]).toEqual(expect.arrayContaining(statuses));
    expect(timesUsedUp).toBe(max_tokens === 2_000 ? 0 : 1);
  });

  it('are refused in the provider’s words once the budget doesn’t pay for one', async () => {
    expensive();
    await openGateway({}, { budgetUsd: 0.012 });
    const body = { ...BODY, stream: false, max_tokens: 64_000 };
    expect((await ask('/v1/messages', body)).status).toBe(200);
    expect(received[0]?.body.max_tokens).toBeLessThan(2_400);
    const refused = errorOf(await ask('/v1/messages', body));
    expect(refused).toMatchObject({ status: 402, type: 'billing_error' });
    expect(refused.message).toMatch(/^tierwatch: .*budget/);
    expect(timesUsedUp).toBe(1);
    expect(refusals).toEqual([expect.stringContaining('budget')]);
    expect(asked.filter(({ url }) => url === '/v1/messages')).toHaveLength(1);
  });

  it('wait for each other for a bounded time', async () => {
    expensive({ delayMs: 150, tokens: 10 });
    await openGateway({}, { budgetUsd: 0.1, waitMs: 10 });
    const body = { ...BODY, stream: false, max_tokens: 64_000 };
    const answers = await Promise.all([ask('/v1/messages', body), ask('/v1/messages', body)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused && errorOf(refused)).toMatchObject({ type: 'rate_limit_error' });
    expect(timesUsedUp).toBe(0);
    expect((await ask('/v1/messages', body)).status).toBe(200);
  });

  it('with a long input, which the provider is asked to count', async () => {
    const charged = expensive({ inputTokens: 19_950 });
    const forMessages = answer;
    answer = (request, response) => {
      if (request.url !== '/v1/messages/count_tokens') return forMessages(request, response);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ input_tokens: 19_000 }));
    };
    await openGateway({}, { budgetUsd: 0.05 });
    const content = 'word '.repeat(20_000);
    const body = { ...BODY, max_tokens: 64_000, messages: [{ role: 'user', content }] };
    expect((await ask('/v1/messages', body)).status).toBe(200);
    // 5 % more is $0.024,938 for the input, which leaves this for the answer.
    expect(received[0]?.body.max_tokens).toBe(5_012);
    expect(asked.map(({ url }) => url)).toEqual(['/v1/messages/count_tokens', '/v1/messages']);
    expect(charged.requests).toBe(1);
  });
});

describe('[HLD-2.1] [BND-3.2] a request whose client has gone', () => {
  it.each([true, false])(
    'is metered to its end, before its answer began (streamed: %s)',
    async (stream) => {
      const charged = expensive({ delayMs: 100 });
      await openGateway({}, { budgetUsd: 1 });
      const client = new AbortController();
      const body = { ...BODY, stream, max_tokens: 1_000 };
      const asking = ask('/v1/messages', body, {}, client.signal);
      while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      client.abort();
      await asking;
      await settled(1);
      expect(meteredTokens()).toBe(charged.tokens);
      expect(metered).toMatchObject([
        { messageId: 'msg_1', outputTokens: 1_000, isComplete: true },
      ]);
    },
  );

  it('is metered to its end while its answer comes', async () => {
    await openGateway({}, { budgetUsd: 1 });
    const client = new AbortController();
    let rest = () => {};
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const at = STREAM.indexOf('\n\n') + 2;
      response.write(STREAM.subarray(0, at));
      rest = () => response.end(STREAM.subarray(at));
    };
    const asking = ask('/v1/messages', { ...BODY, max_tokens: 500 }, {}, client.signal);
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.abort();
    await asking;
    while (!gateway.isIdle()) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(metered).toEqual([]);
    rest();
    await settled(1);
    expect(metered).toMatchObject([{ outputTokens: 42, isComplete: true }]);
  });

  it('keeps its reservation until then', async () => {
    expensive({ delayMs: 200 });
    await openGateway({}, { budgetUsd: 0.1, waitMs: 20 });
    const client = new AbortController();
    const body = { ...BODY, max_tokens: 64_000 };
    const asking = ask('/v1/messages', body, {}, client.signal);
    while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    client.abort();
    await asking;
    expect((await ask('/v1/messages', body)).status).toBe(429);
    await settled(1);
    expect((await ask('/v1/messages', body)).status).toBe(402);
  });

  it.each([
    ['streamed', true, 700],
    ['not streamed', false, 700],
  ])(
    'is booked with its reservation if its end doesn’t come, %s',
    async (_what, stream, outputTokens) => {
      answer = (_request, response) => {
        response.writeHead(200, {
          'content-type': stream ? 'text/event-stream' : 'application/json',
        });
        if (stream) response.write(STREAM.subarray(0, STREAM.indexOf('\n\n') + 2));
      };
      await openGateway({}, { budgetUsd: 1, drainMs: 30 });
      const client = new AbortController();
      const asking = ask('/v1/messages', { ...BODY, stream, max_tokens: 700 }, {}, client.signal);
      while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      await new Promise((resolve) => setTimeout(resolve, 20));
      client.abort();
      await asking;
      await settled(1);
      expect(metered).toMatchObject([{ outputTokens, isComplete: false }]);
      expect(metered[0]?.inputTokens).toBeGreaterThan(0);
    },
  );

  it.each([
    ['a streamed one costs its input', true, 0],
    ['another one what it may have cost', false, 700],
  ])(
    'and one that the end of the attempt cuts off before its answer: %s',
    async (_what, stream, outputTokens) => {
      answer = () => {};
      await openGateway();
      const body = { ...BODY, stream, max_tokens: 700 };
      const asking = ask('/v1/messages', body);
      while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      gateway.close();
      await asking;
      const inputTokens = Math.ceil(JSON.stringify(body).length / 4);
      expect(metered).toMatchObject([
        { model: MODEL, messageId: 'unanswered', inputTokens, outputTokens, isComplete: false },
      ]);
    },
  );
});

it('[HLD-2.1] an answer that doesn’t say what it has cost is booked with what it may have', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"type":"message"}');
  };
  await openGateway({}, { budgetUsd: 1 });
  await ask('/v1/messages', { ...BODY, stream: false, max_tokens: 700 });
  await settled(1);
  expect(metered).toMatchObject([{ outputTokens: 700, isComplete: false }]);
});

describe('[HLD-2.2] what isn’t on the list', () => {
  it.each([
    ['another model', { model: 'claude-opus-5' }, 'claude-opus-5'],
    [
      'a second model',
      { tools: [{ type: 'advisor_20260301', model: 'claude-opus-5' }] },
      'advisor',
    ],
    [
      'a stored file',
      {
        messages: [
          { role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: 'f' } }] },
        ],
      },
      'file',
    ],
  ])('%s is refused, and reported once', async (_what, changes, word) => {
    await openGateway();
    for (const path of ['/v1/messages', '/v1/messages', '/v1/messages/count_tokens']) {
      const refused = errorOf(await ask(path, { ...BODY, ...changes }));
      expect(refused).toMatchObject({ status: 403, type: 'permission_error' });
      expect(refused.message).toContain(word);
    }
    expect(asked).toEqual([]);
    expect(refusals).toEqual([expect.stringContaining(word)]);
  });

  it('features and fields of a request are removed, and reported', async () => {
    await openGateway();
    const body = { ...BODY, speed: 'fast', service_tier: 'auto' };
    const headers = {
      'anthropic-beta': 'effort-2025-11-24,fast-mode-2026-02-01,files-api-2025-04-14',
      'anthropic-workspace': 'other',
      'anthropic-version': '2023-06-01',
      'x-stainless-lang': 'js',
      cookie: 'a=b',
    };
    for (const path of ['/v1/messages?beta=true&fast=1', '/v1/messages?beta=true']) {
      expect((await ask(path, body, headers)).status).toBe(200);
    }
    for (const each of received) {
      expect(each.body).toEqual(BODY);
      expect(each.headers).toMatchObject({
        'anthropic-beta': 'effort-2025-11-24',
        'anthropic-version': '2023-06-01',
        'x-stainless-lang': 'js',
      });
      expect(each.headers).not.toHaveProperty('anthropic-workspace');
      expect(each.headers).not.toHaveProperty('cookie');
    }
    expect(asked.map(({ url }) => url)).toEqual(['/v1/messages', '/v1/messages?beta=true']);
    expect(refusals).toHaveLength(4);
    expect(refusals.join()).toMatch(/speed.*service_tier.*fast-mode.*files-api/);
  });

  it('doesn’t fill the log', async () => {
    await openGateway();
    for (let number = 0; number < 40; number += 1) {
      await ask('/v1/messages', { ...BODY, model: `claude-opus-${number}` });
    }
    expect(refusals).toHaveLength(21);
    expect(refusals.at(-1)).toMatch(/aren’t listed/);
  });
});

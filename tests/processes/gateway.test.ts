/** The model gateway under requests that no agent makes: cut anywhere, many at once, malformed, by a proxy. */
import { createServer, type Server as HttpServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLAUDE_PRICES } from '@/lib/agents/claude/prices';
import { logger } from '@/lib/platform/logger';
import { modelDispatcher } from '@/workers/runner/gateway/dispatcher';
import { createGateway, type Gateway } from '@/workers/runner/gateway/gateway';
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
let gateway: Gateway;
let port: Server;
let metered: (MeteredRequest & { durationMs: number })[];
const opened: { close(done?: () => void): unknown }[] = [];

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

async function listening<Listener extends Server | HttpServer>(
  server: Listener,
): Promise<Listener> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(server);
  return server;
}

async function openGateway(env: Record<string, string> = {}, budgetUsd: number | null = null) {
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
    tools: ['Bash'],
    budgetUsd,
    onMetered: (request) => metered.push(request),
    onBudgetUsed() {},
  });
  port = await listening(createNetServer());
  gateway.serve(port);
}

beforeEach(async () => {
  // Hundreds of answers are cut off on purpose.
  logger.level = 'silent';
  asked = [];
  metered = [];
  answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(STREAM);
  };
  provider = await listening(
    createServer((request, response) => {
      asked.push({ url: request.url ?? '', key: String(request.headers['x-api-key']) });
      request.resume();
      request.on('end', () => answer(request, response));
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

function ask(path = '/v1/messages', body: unknown = BODY): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const request = httpRequest(
      {
        port: portOf(port),
        host: '127.0.0.1',
        path,
        method: 'POST',
        agent: false,
        headers: { 'content-type': 'application/json', 'x-api-key': 'of-the-sandbox' },
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
      error.code === 'ECONNRESET'
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

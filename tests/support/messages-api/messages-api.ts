/**
 * A scripted stand-in for the Messages API on loopback. It answers from a list, or from a
 * function of the request, and remembers every request and every token it reported.
 *
 *     const api = await startMessagesApi({ script: [callBash('docker ps'), say('all is well')] });
 *     const api = await startMessagesApi({
 *       script: (request) => request.lastUserText.includes('Tier 2') ? reportBack({…}) : say('…'),
 *     });
 *     // ANTHROPIC_BASE_URL=api.url, any key
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type RecordedRequest, recordRequest } from './recorded-request';
import { failWith, type Reply, type ReplyUsage } from './reply';
import { messageBody, sendRest, sendStart } from './sse';

/** A list is used up in order; a function is asked each time and may wait. */
export type Script = Reply[] | ((request: RecordedRequest) => Reply | Promise<Reply>);

export interface MessagesApi {
  /** For ANTHROPIC_BASE_URL. */
  url: string;
  requests: RecordedRequest[];
  /** Tokens the API has reported so far, by model. What was cut off counts as far as it got. */
  reportedTokens(): Record<string, ReplyUsage>;
  /** The same for each answer. */
  charged(): readonly { model: string; usage: ReplyUsage }[];
  /** Replaces what is left of the script. */
  setScript(script: Script): void;
  /** Resolves once `count` requests have come in, counted from the start of the server. */
  waitForRequests(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function startMessagesApi(options: { script: Script }): Promise<MessagesApi> {
  let script = options.script;
  const requests: RecordedRequest[] = [];
  const reported: { model: string; usage: ReplyUsage }[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];

  async function nextReply(request: RecordedRequest): Promise<Reply> {
    if (typeof script === 'function') {
      // An assertion that fails inside a script reaches the test as the CLI's error text.
      return Promise.resolve(request)
        .then(script)
        .catch((error: unknown) => failWith(400, `the script failed: ${String(error)}`));
    }
    // 400 is not retried by the CLI, so a script that is too short shows at once.
    return script.shift() ?? failWith(400, 'the script has no further answer');
  }

  async function answer(request: RecordedRequest, response: ServerResponse) {
    const reply = await nextReply(request);
    if (reply.kind === 'hang') return;
    if (reply.kind === 'error') {
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      const error = { type: reply.errorType, message: reply.message };
      response.end(JSON.stringify({ type: 'error', error }));
      return;
    }
    const begun = { model: request.model, usage: { ...reply.usage, outputTokens: 1 } };
    reported.push(begun);
    if (reply.kind === 'hang_after_start') {
      sendStart(response, request.model, reply.usage);
      return;
    }
    begun.usage = reply.usage;
    if (request.body.stream === true) {
      sendStart(response, request.model, reply.usage);
      await sendRest(response, reply);
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(messageBody(request.model, reply)));
    }
  }

  const server = createServer(async (incoming, response) => {
    const body = await readBody(incoming);
    if (incoming.method === 'HEAD' || incoming.method === 'GET') {
      response.writeHead(200).end();
    } else if (incoming.url?.includes('/count_tokens')) {
      response.end(JSON.stringify({ input_tokens: Math.ceil(body.length / 4) }));
    } else if (!incoming.url?.startsWith('/v1/messages')) {
      response.writeHead(404).end();
    } else {
      const request = recordRequest(requests.length, plainHeaders(incoming), body);
      requests.push(request);
      for (const waiter of waiting) if (requests.length >= waiter.count) waiter.resolve();
      await answer(request, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    reportedTokens: () => sumByModel(reported),
    charged: () => reported,
    setScript(next) {
      script = next;
    },
    waitForRequests(count) {
      if (requests.length >= count) return Promise.resolve();
      return new Promise((resolve) => waiting.push({ count, resolve }));
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function plainHeaders(incoming: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
}

function sumByModel(reported: { model: string; usage: ReplyUsage }[]): Record<string, ReplyUsage> {
  const sums: Record<string, ReplyUsage> = {};
  for (const { model, usage } of reported) {
    const sum = sums[model];
    sums[model] = {
      inputTokens: (sum?.inputTokens ?? 0) + usage.inputTokens,
      outputTokens: (sum?.outputTokens ?? 0) + usage.outputTokens,
      cacheReadTokens: (sum?.cacheReadTokens ?? 0) + usage.cacheReadTokens,
      cacheWriteTokens: (sum?.cacheWriteTokens ?? 0) + usage.cacheWriteTokens,
    };
  }
  return sums;
}

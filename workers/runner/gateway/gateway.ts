/**
 * The model gateway of one attempt, the only network that its sandbox has. It forwards the requests of the
 * agent to its model, adds the key that the sandbox doesn't have, and forwards nothing else.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import type { ModelProvider } from '@/lib/agents/agent';
import { estimateCost, type PriceTable } from '@/lib/agents/prices';
import { logger } from '@/lib/platform/logger';
import { MAX_BODY_BYTES, refusedPart } from './request-body';
import { createUsageMeter, type MeteredRequest, type UsageMeter } from './usage-meter';

export interface Gateway {
  /** Answers on a port of the sandbox. */
  serve(server: Server): void;
  /** Whether no request is on its way. */
  isIdle(): boolean;
  /** Ends requests that are on their way, and tells what they have cost. */
  close(): void;
}

export interface GatewayOptions {
  provider: Provider;
  /** How the provider is reached, also through a proxy. */
  dispatcher: Dispatcher;
  prices: PriceTable;
  /** Of the agent, as its tier allows them: some need the provider's own. */
  tools: readonly string[];
  /** US dollars for all requests together; null: no limit. */
  budgetUsd: number | null;
  /** What a request has cost, once it is over. */
  onMetered(request: MeteredRequest & { durationMs: number }): void;
  /** The budget is used up: nothing more is forwarded. Called once. */
  onBudgetUsed(): void;
}

type Provider = Extract<ModelProvider, { kind: 'forwarded' }>;

/** Paths below the provider's address. */
const FORWARDED = ['/v1/messages', '/v1/messages/count_tokens'];

/** An agent has one conversation, and a few more with sub-agents. */
const MAX_FORWARDED = 32;
const MAX_CONNECTIONS = 64;
const IDLE_MS = 600_000;
/** Of all requests of an attempt that are being read. */
const MAX_BUFFERED_BYTES = 48_000_000;
/** For a request to arrive. */
const BODY_MS = 60_000;

/** Of one connection, or the gateway's to decide. */
const NOT_PASSED = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'host'],
  ...['proxy-authorization', 'proxy-connection', 'accept-encoding', 'expect', 'content-length'],
  // Keys: the agent holds placeholders.
  ...['authorization', 'x-api-key', 'cookie'],
]);

export function createGateway(options: GatewayOptions): Gateway {
  const { provider, dispatcher, budgetUsd } = options;
  const base = new URL(provider.url);
  const ending = new AbortController();
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  const running = new Map<UsageMeter, number>();
  const buffered = { bytes: 0 };
  let forwarding = 0;
  let endedUsd = 0;
  let isUsedUp = false;

  function costOf(request: MeteredRequest | null): number {
    return request === null ? 0 : estimateCost(options.prices, request.model, request);
  }

  /** Whether the budget is used up, now that something more was spent. */
  function checkBudget(): boolean {
    if (budgetUsd === null || isUsedUp) return isUsedUp;
    const runningUsd = [...running.keys()].reduce((sum, { request }) => sum + costOf(request), 0);
    if (endedUsd + runningUsd < budgetUsd) return false;
    isUsedUp = true;
    options.onBudgetUsed();
    return true;
  }

  function settle(meter: UsageMeter): void {
    const startedAt = running.get(meter);
    if (!running.delete(meter) || meter.request === null || startedAt === undefined) return;
    endedUsd += costOf(meter.request);
    const durationMs = Math.round(performance.now() - startedAt);
    options.onMetered({ ...meter.request, durationMs });
    checkBudget();
  }

  /** Passes an answer on while it is metered, and cuts it off after the piece that uses up the budget. */
  function metering(meter: UsageMeter): Transform {
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        meter.push(chunk);
        this.push(chunk);
        done(checkBudget() ? new Error('the budget is used up') : null);
      },
    });
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = targetOf(request, base);
    if (target === null) {
      refuse(response, 'only requests to the model leave the sandbox.');
      return;
    }
    if (isUsedUp) {
      refuse(response, 'the budget of this attempt is used up.');
      return;
    }
    if (forwarding >= MAX_FORWARDED) {
      refuse(response, `${MAX_FORWARDED} requests of this agent are on their way already.`, 429);
      return;
    }
    forwarding += 1;
    let meter: UsageMeter | null = null;
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const body = await readBody(request, buffered);
      const why = body === null ? 'it is too long, or no JSON.' : refusedPart(body, options.tools);
      if (why !== null) {
        refuse(response, why);
        return;
      }
      const startedAt = performance.now();
      const answer = await dispatcher.request({
        origin: base.origin,
        path: target,
        method: 'POST',
        headers: { ...passedHeaders(request), ...provider.headers },
        body: JSON.stringify(body),
        signal: AbortSignal.any([gone.signal, ending.signal]),
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      response.writeHead(answer.statusCode, answeredHeaders(answer.headers));
      meter = createUsageMeter(String(answer.headers['content-type'] ?? ''));
      running.set(meter, startedAt);
      await pipeline(answer.body, metering(meter), response);
    } catch (error) {
      if (!gone.signal.aborted && !ending.signal.aborted) {
        logger.warn({ error: String(error) }, 'model request not forwarded');
      }
      // A closed connection is what the agent would see without a gateway.
      request.destroy();
      response.destroy();
    } finally {
      forwarding -= 1;
      if (meter) settle(meter);
    }
  }

  const http = createServer((request, response) => void forward(request, response));
  http.on('clientError', (_error, socket) => socket.destroy());

  return {
    serve(server) {
      servers.push(server);
      server.maxConnections = MAX_CONNECTIONS;
      server.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        // A server that doesn't listen itself has no timeouts. A model may take minutes to answer.
        socket.setTimeout(IDLE_MS, () => socket.destroy());
        http.emit('connection', socket);
      });
      server.on('error', (error) => logger.warn({ error: String(error) }, 'model port failed'));
    },
    isIdle: () => forwarding === 0,
    close() {
      ending.abort();
      for (const meter of [...running.keys()]) settle(meter);
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Returns the provider's path for a request; null for one that isn't forwarded. */
function targetOf({ method, url = '' }: IncomingMessage, base: URL): string | null {
  const [path = '', query] = url.split('?');
  if (method !== 'POST' || !FORWARDED.includes(path)) return null;
  const prefix = base.pathname.replace(/\/+$/, '');
  return `${prefix}${path}${query === undefined ? '' : `?${query}`}`;
}

function passedHeaders({ headers }: IncomingMessage): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || NOT_PASSED.has(name) ? [] : [[name, value]],
    ),
  );
}

function answeredHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || NOT_PASSED.has(name) || name === 'set-cookie' ? [] : [[name, value]],
    ),
  );
}

function refuse(response: ServerResponse, why: string, status = 403): void {
  const message = `tierwatch: ${why}`;
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type: 'permission_error', message } }));
}

/** Returns the parsed body; null if it is too long, encoded, or no JSON. @throws Error if it is cut off */
async function readBody(
  request: IncomingMessage,
  /** Of all requests that are being read. */
  buffered: { bytes: number },
): Promise<unknown> {
  const limit = setTimeout(() => request.destroy(), BODY_MS);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isTooLong = false;
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      buffered.bytes += chunk.length;
      isTooLong ||= bytes > MAX_BODY_BYTES || buffered.bytes > MAX_BUFFERED_BYTES;
      if (!isTooLong) chunks.push(chunk);
    }
    if (isTooLong || request.headers['content-encoding'] !== undefined) return null;
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  } finally {
    clearTimeout(limit);
    buffered.bytes -= bytes;
  }
}

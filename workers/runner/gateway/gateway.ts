/**
 * The model gateway of one attempt, the only network that its sandbox has. It forwards the requests of the
 * agent to its model, adds the key that the sandbox doesn't have, and forwards nothing else.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Dispatcher } from 'undici';
import type { ModelProvider } from '@/lib/agents/agent';
import { logger } from '@/lib/platform/logger';

export interface Gateway {
  /** Answers on a port of the sandbox. */
  serve(server: Server): void;
  /** Ends requests that are on their way. */
  close(): void;
}

type Provider = Extract<ModelProvider, { kind: 'forwarded' }>;

/** Paths below the provider's address. */
const FORWARDED = ['/v1/messages', '/v1/messages/count_tokens'];

/** Of one connection, or the gateway's to decide. */
const NOT_PASSED = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'host'],
  ...['proxy-authorization', 'proxy-connection', 'accept-encoding', 'expect'],
  // Keys: the agent holds placeholders.
  ...['authorization', 'x-api-key', 'cookie'],
]);

export function createGateway({
  provider,
  dispatcher,
}: {
  provider: Provider;
  /** How the provider is reached, also through a proxy. */
  dispatcher: Dispatcher;
}): Gateway {
  const base = new URL(provider.url);
  const ending = new AbortController();
  const servers: Server[] = [];
  const sockets = new Set<Socket>();

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = targetOf(request, base);
    if (target === null) {
      refuse(response);
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      const answer = await dispatcher.request({
        origin: base.origin,
        path: target,
        method: 'POST',
        headers: { ...passedHeaders(request), ...provider.headers },
        body: request,
        signal: AbortSignal.any([gone.signal, ending.signal]),
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      response.writeHead(answer.statusCode, answeredHeaders(answer.headers));
      await pipeline(answer.body, response);
    } catch (error) {
      if (!gone.signal.aborted && !ending.signal.aborted) {
        logger.warn({ error: String(error) }, 'model request not forwarded');
      }
      // A closed connection is what the agent would see without a gateway.
      request.destroy();
      response.destroy();
    }
  }

  const http = createServer((request, response) => void forward(request, response));
  http.requestTimeout = 0;
  http.on('clientError', (_error, socket) => socket.destroy());

  return {
    serve(server) {
      servers.push(server);
      server.on('connection', (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        http.emit('connection', socket);
      });
      server.on('error', (error) => logger.warn({ error: String(error) }, 'model port failed'));
    },
    close() {
      ending.abort();
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

function refuse(response: ServerResponse): void {
  const message = 'tierwatch: only requests to the model leave the sandbox.';
  response.writeHead(403, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error: { type: 'permission_error', message } }));
}

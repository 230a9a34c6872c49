import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** How the receiver answers one request. */
export type Answer =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer }
  /** Takes the request and never answers. */
  | { kind: 'silence' }
  /** Answers 200 once it is over. */
  | { kind: 'late'; after: Promise<void> }
  /** Answers 200 and sends one byte every 20 ms, without an end. */
  | { kind: 'drip' }
  /** Closes the connection instead of answering. */
  | { kind: 'reset' };

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Exactly the bytes that arrived. */
  rawBody: Buffer;
}

export interface WebhookReceiver {
  port: number;
  url: string;
  /** In the order of arrival. */
  received: ReceivedRequest[];
  /** The next requests are answered so, one by one; after them 204 again. */
  answerWith(...answers: Answer[]): void;
  /** Resolves once `count` requests have arrived; rejects after `timeoutMs`. */
  waitForRequests(count: number, timeoutMs?: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

/** A real server on loopback, http or (with a key and certificate) https. */
export async function startWebhookReceiver(
  options: { tls?: { key: string; certificate: string }; host?: string } = {},
): Promise<WebhookReceiver> {
  const host = options.host ?? '127.0.0.1';
  const received: ReceivedRequest[] = [];
  const script: Answer[] = [];
  const waiting = new Set<() => void>();

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    received.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      rawBody: Buffer.concat(chunks),
    });
    for (const check of waiting) check();
    give(script.shift() ?? { status: 204 }, response);
  }

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch(() => response.destroy());
  };
  const server = options.tls
    ? createTlsServer({ key: options.tls.key, cert: options.tls.certificate }, listener)
    : createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const urlHost = host.includes(':') ? `[${host}]` : host;

  return {
    port,
    url: `${options.tls ? 'https' : 'http'}://${urlHost}:${port}/hook`,
    received,
    answerWith: (...answers) => {
      script.push(...answers);
    },
    waitForRequests(count, timeoutMs = 5_000) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`${received.length} of ${count} requests arrived in ${timeoutMs} ms.`));
        }, timeoutMs);
        function check() {
          if (received.length < count) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(received.slice());
        }
        waiting.add(check);
        check();
      });
    },
    close() {
      return new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      });
    },
  };
}

/** Verifies with the reference library, on the raw bytes. Throws when it refuses; else the payload. */
export function verifyReceived(request: ReceivedRequest, secret: string): unknown {
  return new Webhook(secret).verify(request.rawBody, request.headers);
}

function give(answer: Answer, response: ServerResponse): void {
  if (!('kind' in answer)) {
    response.writeHead(answer.status, answer.headers).end(answer.body);
    return;
  }
  switch (answer.kind) {
    case 'silence':
      return;
    case 'late':
      void answer.after.then(() => response.writeHead(200).end('ok'));
      return;
    case 'reset':
      response.destroy();
      return;
    case 'drip': {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.once('close', () => clearInterval(timer));
    }
  }
}

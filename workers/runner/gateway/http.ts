/** HTTP of the gateway: which requests and headers pass, how bodies are read, and how errors look. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { MAX_BODY_BYTES } from './request-body';

export type Headers = Record<string, string | string[]>;

/** Paths below the provider's address. */
export const MESSAGES = '/v1/messages';
export const COUNT_TOKENS = '/v1/messages/count_tokens';

/** Of all requests of an attempt that are being read. */
const MAX_BUFFERED_BYTES = 48_000_000;
/** For a request to arrive. */
const BODY_MS = 60_000;

/** Headers of requests that pass. Keys are the runner's, and `anthropic-beta` has a list of its own. */
const PASSED =
  /^(?:accept|content-type|user-agent|anthropic-(?:version|dangerous-direct-browser-access)|x-(?:app|stainless-[a-z-]+|claude-code-[a-z-]+))$/;

/** Headers of answers that are of one connection, or the gateway's to decide. */
const NOT_ANSWERED = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'set-cookie'],
  ...['proxy-authorization', 'proxy-connection', 'content-length'],
]);

/** Returns the path that a request is forwarded to; null for one that isn't. */
export function targetOf({ method, url = '' }: IncomingMessage): string | null {
  const [path = '', query] = url.split('?');
  if (method !== 'POST' || (path !== MESSAGES && path !== COUNT_TOKENS)) return null;
  // The CLIs send no other query.
  return query === 'beta=true' ? `${path}?${query}` : path;
}

/** Claude Code 2.1.197 asks for this before its first request, to see whether anything answers. */
export function isConnectivityTest({ method, url }: IncomingMessage): boolean {
  return method === 'HEAD' && url === '/';
}

export function passedHeaders({ headers }: IncomingMessage, betas: readonly string[]): Headers {
  const passed = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || !PASSED.test(name) ? [] : [[name, value] as const],
  );
  const named: Headers = Object.fromEntries(passed);
  return betas.length === 0 ? named : { ...named, 'anthropic-beta': betas.join(',') };
}

export function answeredHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Headers {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || NOT_ANSWERED.has(name) ? [] : [[name, value]],
    ),
  );
}

/** Errors as the provider sends them. The CLIs try again after `BUSY` only. */
const FORBIDDEN = { status: 403, type: 'permission_error' };
export const UNPAID = { status: 402, type: 'billing_error' };
export const BUSY = { status: 429, type: 'rate_limit_error' };
export type ErrorKind = typeof FORBIDDEN;

export function sendError(response: ServerResponse, why: string, as: ErrorKind = FORBIDDEN): void {
  const error = { type: as.type, message: `tierwatch: ${why}` };
  response.writeHead(as.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ type: 'error', error }));
}

/**
 * Returns the parsed body and its length; null if it is too long, encoded, or no JSON.
 *
 * @param buffered bytes of all requests that are being read
 * @throws Error if it is cut off
 */
export async function readBody(
  request: IncomingMessage,
  buffered: { bytes: number },
): Promise<{ body: unknown; bytes: number } | null> {
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
    return { body: JSON.parse(Buffer.concat(chunks).toString('utf8')), bytes };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  } finally {
    clearTimeout(limit);
    buffered.bytes -= bytes;
  }
}

/** Resolves when a response can take more, or its connection is closed. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

/** Connections to model providers, through the proxies that the runner's environment names. */
export function modelDispatcher(env: Readonly<Record<string, string | undefined>>): Dispatcher {
  const proxy = (name: string) => env[name] || env[name.toUpperCase()];
  const httpProxy = proxy('http_proxy');
  const httpsProxy = proxy('https_proxy');
  const noProxy = proxy('no_proxy');
  return new EnvHttpProxyAgent({
    // Empty strings, so that it doesn't read the variables of this process itself.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy: noProxy ?? '',
  });
}

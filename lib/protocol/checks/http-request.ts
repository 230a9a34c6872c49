/** One HTTP request over a connection of its own, timed by phase. */
import type { LookupAddress } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { type Family, findAddresses, fixedLookup } from './addresses';
import type { Phases } from './check-kind';
import { codeOf, type ProbeContext } from './outcome';

export interface HttpAnswer {
  statusCode: number;
  location: string | undefined;
  body: string;
  /** Whether the response was longer than what was read. */
  isCut: boolean;
  address: string | undefined;
  phases: Phases;
}

interface HttpRequest {
  method: 'GET' | 'HEAD';
  headers: Record<string, string>;
  family: Family;
  /** Characters to read of the body; 0: none. */
  maxCharacters: number;
}

/**
 * Sends a request without following redirects. A connection that is reset is tried once more at once:
 * a server that is just replacing its process resets some.
 *
 * @throws the system error of the lookup, the connection or the TLS handshake
 */
export async function sendRequest(
  url: URL,
  request: HttpRequest,
  context: ProbeContext,
): Promise<HttpAnswer> {
  const startedAt = performance.now();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = await findAddresses(host, request.family, context);
  const dnsMs = isIP(host) ? null : Math.round(performance.now() - startedAt);
  const send = () => sendOnce(url, request, addresses, dnsMs, context.signal);
  return send().catch((error: unknown) => {
    if (codeOf(error) !== 'ECONNRESET' || context.signal.aborted) throw error;
    return send();
  });
}

function sendOnce(
  url: URL,
  { method, headers, maxCharacters }: HttpRequest,
  addresses: readonly LookupAddress[],
  dnsMs: number | null,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    let connectedAt: number | null = null;
    let securedAt: number | null = null;
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    // Without an agent, every request gets a connection of its own: a kept one would hide outages.
    const request = send(url, {
      method,
      headers,
      signal,
      agent: false,
      lookup: fixedLookup(addresses),
    });
    request.once('socket', (socket) => {
      socket.once('connect', () => {
        connectedAt = performance.now();
      });
      socket.once('secureConnect', () => {
        securedAt = performance.now();
      });
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const answeredAt = performance.now();
      const between = (from: number | null, to: number | null) =>
        from === null || to === null ? null : Math.round(to - from);
      const phases = {
        dnsMs,
        connectMs: between(startedAt, connectedAt),
        tlsMs: between(connectedAt, securedAt),
        firstByteMs: between(securedAt ?? connectedAt, answeredAt),
      };
      const address = response.socket.remoteAddress;
      const { statusCode = 0, headers: received } = response;
      readStart(response, maxCharacters)
        .then((read) => {
          resolve({ statusCode, location: received.location, address, phases, ...read });
        })
        .catch(reject)
        .finally(() => request.destroy());
    });
    request.end();
  });
}

async function readStart(
  response: IncomingMessage,
  maxCharacters: number,
): Promise<{ body: string; isCut: boolean }> {
  const decoder = new TextDecoder();
  let body = '';
  if (maxCharacters === 0) return { body, isCut: false };
  for await (const chunk of response) {
    body += decoder.decode(chunk as Buffer, { stream: true });
    if (body.length > maxCharacters) return { body: body.slice(0, maxCharacters), isCut: true };
  }
  return { body, isCut: false };
}

import { randomBytes } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { env } from '../env';
import { logger } from '../logger';
import { clientOf } from '../networks';
import { requestIdOf } from './request-headers';

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as {
  tierwatchAddressHeader?: string;
  tierwatchWarned?: boolean;
};

/** Its name is a secret of this process, so that no client can send it. */
function addressHeader(): string {
  held.tierwatchAddressHeader ??= `x-tierwatch-address-${randomBytes(16).toString('hex')}`;
  return held.tierwatchAddressHeader;
}

function forwardedHeader(): string {
  return `${addressHeader()}-forwarded`;
}

/**
 * Adds the client's address to every request that this process receives. A handler sees headers
 * alone, and Next keeps an `X-Forwarded-For` that anyone may have sent.
 *
 * @returns a function that ends this
 */
export function noteClientAddresses(): () => void {
  const requests = channel('http.server.request.start');
  const note = (message: unknown) => {
    const { request, socket } = message as { request: IncomingMessage; socket: Socket };
    const forwarded = request.headers['x-forwarded-for'];
    const peer = socket.remoteAddress;
    // Next sends some actions to itself again, with the headers of the first request.
    if (!peer || request.headers[addressHeader()]) return;
    if (FORWARDING_HEADERS.some((name) => request.headers[name] !== undefined)) {
      request.headers[forwardedHeader()] = '1';
    }
    const forwardedFor = Array.isArray(forwarded) ? forwarded.join() : forwarded;
    request.headers[addressHeader()] = clientOf(peer, forwardedFor, env().trustedProxies);
    if (forwardedFor && env().trustedProxies.length === 0) warnOnce(peer);
  };
  requests.subscribe(note);
  return () => void requests.unsubscribe(note);
}

/** Returns the client's address. Requests of unknown clients share one. */
export function clientAddress(headers: Headers): string {
  return headers.get(addressHeader()) ?? 'unknown';
}

/** Returns whether a header said that a proxy has forwarded the request; true for unknown clients. */
export function isForwardedRequest(headers: Headers): boolean {
  return !headers.has(addressHeader()) || headers.has(forwardedHeader());
}

/** Headers by which proxies say that they have forwarded a request. Next adds some of them itself. */
export const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-real-ip',
  'via',
] as const;

/** Where a request came from, as the audit log names it. */
export interface Client {
  address: string;
  requestId?: string;
}

export function readClient(headers: Headers): Client {
  return { address: clientAddress(headers), requestId: requestIdOf(headers) };
}

function warnOnce(peer: string): void {
  if (held.tierwatchWarned) return;
  held.tierwatchWarned = true;
  logger.warn(
    { peer },
    'X-Forwarded-For is ignored, because TIERWATCH_TRUSTED_PROXIES is empty. If this peer is your reverse proxy, add its address there.',
  );
}

import { Client } from 'undici';
import { guardedConnector, type Progress, type ResolveName, resolveBySystem } from './connector';
import { nameFailure } from './failure';
import {
  isPermanentFailure,
  type OutboundFailure,
  type OutboundFailureReason,
  type OutboundResult,
  readBody,
} from './result';
import { checkTarget } from './target-policy';

export interface OutboundRequest {
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  /** From the call to the last byte: name, connection, TLS, answer and body together. */
  timeoutMs: number;
  /** More than this of the answer's body is not read. */
  maxResponseBytes: number;
}

export interface OutboundClientOptions {
  /** TIERWATCH_ALLOW_PRIVATE_TARGETS: private addresses and plain http. Never metadata addresses. */
  allowPrivate: boolean;
  /** Instead of the system's resolver. */
  resolve?: ResolveName;
  /** PEM; instead of the well-known certificate authorities. */
  certificateAuthority?: string;
}

export interface OutboundClient {
  /** Never rejects: whatever goes wrong has a name in the result. Redirects are not followed. */
  request(request: OutboundRequest): Promise<OutboundResult>;
}

/**
 * The only client for addresses that users enter (webhooks). Uses no proxy and never reuses a
 * connection.
 */
export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  return { request: (request) => send(request, options) };
}

async function send(
  request: OutboundRequest,
  options: OutboundClientOptions,
): Promise<OutboundResult> {
  const startedAt = performance.now();
  const progress: Progress = { phase: 'resolving', address: null };

  function fail(
    reason: OutboundFailureReason,
    message: string,
    status: number | null = null,
  ): OutboundFailure {
    const isPermanent = isPermanentFailure(reason);
    // How long a resolver thought about a name tells whether it knew it.
    const durationMs = reason === 'dns_failed' ? 0 : elapsedMs(startedAt);
    return {
      ok: false,
      reason,
      isPermanent,
      message,
      status,
      durationMs,
      address: progress.address,
    };
  }

  const target = checkTarget(request.url, options);
  if (!target.ok) return fail(target.reason, target.message);

  const deadline = AbortSignal.timeout(request.timeoutMs);
  const client = new Client(target.url.origin, {
    connect: guardedConnector({
      rules: options,
      resolve: options.resolve ?? resolveBySystem,
      signal: deadline,
      progress,
      certificateAuthority: options.certificateAuthority,
    }),
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const { statusCode, headers, body } = await client.request({
      path: target.url.pathname + target.url.search,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal: deadline,
    });
    if (statusCode >= 300 && statusCode < 400) {
      const message = `The target responded with a redirect (${statusCode}). Enter the URL it redirects to.`;
      return fail('redirect', message, statusCode);
    }
    const { text, isTruncated } = await readBody(body, request.maxResponseBytes);
    return {
      ok: true,
      status: statusCode,
      headers: joinHeaders(headers),
      bodyText: text,
      isBodyTruncated: isTruncated,
      durationMs: elapsedMs(startedAt),
      address: progress.address ?? '',
    };
  } catch (error) {
    const { reason, message } = nameFailure(error, progress.phase, deadline.aborted);
    return fail(reason, message);
  } finally {
    // A rejected destroy means that the connection is gone already.
    client.destroy().catch(() => undefined);
  }
}

function joinHeaders(headers: Record<string, string | string[] | undefined>) {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined)
      joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

function elapsedMs(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}

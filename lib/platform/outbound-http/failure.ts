import type { OutboundFailureReason } from './result';
import type { TargetCheck } from './target-policy';

/** Thrown inside a connection attempt, so that the socket passes the reason on. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';
  constructor(readonly refusal: Extract<TargetCheck, { ok: false }>) {
    super(refusal.message);
  }
}

/** How far a request had come when its time ran out. */
export type RequestPhase = 'resolving' | 'connecting' | 'answering';

/** Names what went wrong. `error` is whatever undici, node:net or node:tls gave. */
export function nameFailure(
  error: unknown,
  phase: RequestPhase,
  isDeadlinePassed: boolean,
): { reason: OutboundFailureReason; message: string } {
  const cause = rootCause(error);
  if (cause instanceof RefusedAddressError) return cause.refusal;
  if (isDeadlinePassed) return lateFailure(phase);

  const code = errorCode(cause);
  if (code === 'ECONNREFUSED') {
    return {
      reason: 'connection_refused',
      message: 'The connection was refused. Nothing is listening there.',
    };
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return lateFailure('connecting');
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return lateFailure('answering');
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { reason: 'too_large', message: 'The response headers are too large.' };
  }
  if (phase === 'connecting' && isTlsCode(code)) {
    return { reason: 'tls_failed', message: `The TLS connection failed: ${code}.` };
  }
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' || code === 'EPIPE') {
    return {
      reason: 'other',
      message: 'The connection was closed before the response was complete.',
    };
  }
  return { reason: 'other', message: `The connection failed: ${code || 'no reason was given'}.` };
}

function lateFailure(phase: RequestPhase): { reason: OutboundFailureReason; message: string } {
  switch (phase) {
    case 'resolving':
      return { reason: 'dns_failed', message: 'The DNS lookup timed out.' };
    case 'connecting':
      return { reason: 'connection_timeout', message: 'Connecting timed out.' };
    case 'answering':
      return { reason: 'response_timeout', message: 'The response did not finish in time.' };
  }
}

/** Attempts at several addresses fail as one AggregateError; the first error is the most useful. */
function rootCause(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  return error;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** OpenSSL's own codes, Node's TLS codes, and those of certificate verification (X.509). */
function isTlsCode(code: string): boolean {
  return (
    /^(ERR_SSL|ERR_TLS|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/.test(
      code,
    ) ||
    code === 'INVALID_CA' ||
    code === 'CA_MD_TOO_WEAK'
  );
}

import type { CheckSpec, CheckType } from '../spec';

export type CheckStatus = 'healthy' | 'degraded' | 'down';

/** What a probe found: `error` is empty when healthy, else one sentence for people. */
export interface ProbeResult {
  status: CheckStatus;
  error: string;
}

/** Looks at one target. May throw a system error; must give up when `signal` aborts. */
export type Probe = (check: CheckSpec, signal: AbortSignal) => Promise<ProbeResult>;

export interface CheckOutcome extends ProbeResult {
  service: string;
  type: CheckType;
  /** As configured, but with the password of a URL hidden. */
  target: string;
  /** Whole milliseconds until the answer; null where nothing answered. */
  responseTimeMs: number | null;
}

export const healthy: ProbeResult = { status: 'healthy', error: '' };

export function degraded(error: string): ProbeResult {
  return { status: 'degraded', error };
}

export function down(error: string): ProbeResult {
  return { status: 'down', error };
}

const textByCode: Record<string, string> = {
  ECONNREFUSED: 'Connection refused.',
  ECONNRESET: 'The connection was reset.',
  EPIPE: 'The connection was closed.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: 'The network is unreachable.',
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  UND_ERR_SOCKET: 'The connection was closed before a response.',
  ENOTFOUND: 'The name does not resolve.',
  EAI_AGAIN: 'The name server did not respond.',
  ENODATA: 'The name has no address.',
  CERT_HAS_EXPIRED: 'The TLS certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The TLS certificate is self-signed.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The TLS certificate is for another name.',
};

/** A system error in one sentence; an unknown one by its own message. */
export function failureText(error: unknown): string {
  for (const candidate of errorAndCauses(error)) {
    const text = textByCode[codeOf(candidate)];
    if (text) return text;
  }
  const message = error instanceof Error ? error.message : String(error);
  return message.trim() || 'The check failed without a message.';
}

// A refused connection to a name with several addresses is an AggregateError; undici wraps in `cause`.
function errorAndCauses(error: unknown): unknown[] {
  const inner = error instanceof AggregateError ? error.errors : [];
  const cause = error instanceof Error && error.cause !== undefined ? [error.cause] : [];
  return [error, ...inner, ...cause];
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

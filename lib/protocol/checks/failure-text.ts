const textByCode: Record<string, string> = {
  ECONNREFUSED: 'Connection refused.',
  ECONNRESET: 'The connection was reset.',
  EPIPE: 'The connection was closed.',
  EHOSTUNREACH: 'The host is unreachable.',
  ENETUNREACH: 'The network is unreachable.',
  ETIMEDOUT: 'The connection timed out.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  UND_ERR_SOCKET: 'The connection was closed before an answer.',
  ENOTFOUND: 'The name does not resolve.',
  EAI_AGAIN: 'The name server did not answer.',
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

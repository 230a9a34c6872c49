interface PolicyFacts {
  nonce: string;
  /** `next dev` evaluates code and opens a socket to its own server. */
  isDevelopment: boolean;
  /** Whether browsers reach us by https. */
  isSecure: boolean;
}

/**
 * Scripts run only with this answer's nonce or when such a script loads them. Styles may stand in
 * attributes: measured rows and popovers need them, and they run nothing.
 */
export function contentSecurityPolicy({ nonce, isDevelopment, isSecure }: PolicyFacts): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? ' ws:' : ''}`,
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isSecure ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

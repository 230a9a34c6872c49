/**
 * The path to go to after signing in, or `fallback` for anything that could lead to another site:
 * `//evil.example` and `/\evil.example` are addresses of hosts to a browser.
 */
export function safeNext(next: string | null | undefined, fallback = '/'): string {
  if (!next || next.length > 2_000 || !/^\/(?![/\\])/.test(next)) return fallback;
  const url = parseUrl(next);
  if (url?.origin !== BASE) return fallback;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Resolving dots may have brought two slashes together again.
  if (path.startsWith('//')) return fallback;
  return /^\/(?:sign-in|sign-up|api)(?:[/?#]|$)/.test(path) ? fallback : path;
}

/** A new account can see nothing yet but its own organization and an invitation. */
export function nextAfterSignUp(next: string, organizationSlug: string): string {
  const wanted = safeNext(next);
  return wanted.startsWith('/invite/') ? wanted : `/${organizationSlug}`;
}

const BASE = 'http://tierwatch.invalid';

function parseUrl(next: string): URL | null {
  try {
    return new URL(next, BASE);
  } catch {
    return null;
  }
}

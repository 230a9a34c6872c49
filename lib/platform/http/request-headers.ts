import { randomBytes } from 'node:crypto';
import { encodeBase62 } from '../crypto/tokens';

export const REQUEST_ID_HEADER = 'x-request-id';

const SHAPE = /^req_[0-9A-Za-z]{22}$/;

export function newRequestId(): string {
  return `req_${encodeBase62(randomBytes(16))}`;
}

/**
 * Returns the id that proxy.ts assigned to the request, or a new one where that doesn't run; text from
 * clients never reaches the log.
 */
export function requestIdOf(headers: Headers, path?: string): string {
  if (path?.startsWith('/api/runner/')) return newRequestId();
  const given = headers.get(REQUEST_ID_HEADER);
  return given && SHAPE.test(given) ? given : newRequestId();
}

/** Set by proxy.ts: the path and query of the page that is asked for, which a layout cannot see. */
export const PATH_HEADER = 'x-tierwatch-path';

/**
 * Whether a request with a cookie comes from our own pages. Browsers say so themselves; where one
 * does not, the origin has to be ours, and a request that only reads may go without either.
 */
export function isSameOrigin(
  facts: { method: string; secFetchSite: string | null; origin: string | null },
  ownOrigins: readonly string[],
): boolean {
  if (facts.secFetchSite) return ['same-origin', 'none'].includes(facts.secFetchSite);
  if (facts.origin) return ownOrigins.includes(facts.origin);
  return facts.method === 'GET';
}

/**
 * Whether a request that may change something was sent by a page of another site. `Host` is ours:
 * a browser sends the one it connected to, which no page can choose.
 *
 * @param origin the `Origin` header; browsers send it with every POST
 * @param ownHosts hosts with their ports, of the public URL and of the request
 */
export function isForeignOrigin(
  facts: { secFetchSite: string | null; origin: string | null },
  ownHosts: readonly (string | null)[],
): boolean {
  if (facts.origin !== null) return !ownHosts.includes(URL.parse(facts.origin)?.host || 'unknown');
  return facts.secFetchSite !== null && !['same-origin', 'none'].includes(facts.secFetchSite);
}

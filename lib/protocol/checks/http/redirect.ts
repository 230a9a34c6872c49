import type { CheckOf } from '../check-kind';
import type { http } from './kind';

export const MAX_REDIRECTS = 3;

export type Redirect =
  | { kind: 'none' }
  | { kind: 'follow'; url: URL }
  /** `problem`: a sentence. */
  | { kind: 'refused'; problem: string };

/**
 * Decides whether a check follows a response to another address. It stays with the host of the check,
 * with or without `www.`, and with hosts that the check names: a login page of another host answers,
 * too. It never leaves TLS.
 *
 * @param location the response's header of that name
 */
export function decideRedirect(
  check: Pick<CheckOf<typeof http.fields>, 'target' | 'expectStatus' | 'redirectHosts'>,
  from: URL,
  response: { statusCode: number; location: string | undefined },
  followed: number,
): Redirect {
  const { statusCode, location } = response;
  if (!isRedirect(statusCode) || isRedirect(check.expectStatus) || !location) {
    return { kind: 'none' };
  }
  const url = URL.parse(location, from.href);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return {
      kind: 'refused',
      problem: `Answered ${statusCode} with an address that can’t be read.`,
    };
  }
  const shown = shownUrl(url);
  const allowed = [new URL(check.target).hostname, ...(check.redirectHosts ?? [])].map(plainHost);
  if (!allowed.includes(plainHost(url.hostname))) {
    return {
      kind: 'refused',
      problem: `Redirected to ${shown}, which is another host. If that is right, allow the host in the check.`,
    };
  }
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    return { kind: 'refused', problem: `Redirected from https to ${shown}.` };
  }
  if (followed >= MAX_REDIRECTS) {
    return { kind: 'refused', problem: `Too many redirects: more than ${MAX_REDIRECTS}.` };
  }
  if (url.origin === from.origin) [url.username, url.password] = [from.username, from.password];
  return { kind: 'follow', url };
}

/** An address without credentials and query, which may hold tokens. */
export function shownUrl({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');
}

function isRedirect(status: number | undefined): boolean {
  return status !== undefined && status >= 300 && status < 400 && status !== 304;
}

import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { isSecure, readSessionCookie, sessionCookieName } from '@/lib/identity/auth/session-cookie';
import { env } from '@/lib/platform/env';
import { ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { BUILD_ID_HEADER, buildId } from '@/lib/platform/http/build-id';
import { contentSecurityPolicy } from '@/lib/platform/http/content-security-policy';
import { HttpError, problemResponse } from '@/lib/platform/http/problem';
import { isOAuthRequest, isPublicPath } from '@/lib/platform/http/public-path';
import {
  isForeignOrigin,
  newRequestId,
  PATH_HEADER,
  REQUEST_ID_HEADER,
} from '@/lib/platform/http/request-headers';

/**
 * Runs before every page and route: gives the request an id, the answer its security headers,
 * refuses what other sites send to pages, and leads people who are not signed in to the sign-in page.
 * Whether a sign-in still counts is decided where the page is made, by its row.
 *
 * It doesn't run for the runners' API, where the next tier would wait for it. Those headers are in
 * next.config.ts.
 */
export async function proxy(request: NextRequest): Promise<Response> {
  const { pathname, search } = request.nextUrl;
  const nonce = randomBytes(16).toString('base64');
  const policy = contentSecurityPolicy({
    nonce,
    isDevelopment: env().nodeEnv === 'development',
    isSecure: isSecure(),
  });

  if (isOAuthRequest(request.method, pathname, request.headers)) {
    const message =
      'Tierwatch has no OAuth server. Create an API token under Organization settings, and send it: Authorization: Bearer …';
    return withSecurityHeaders(problemResponse(new NotFoundError(message), newRequestId()), policy);
  }

  const isPage = !pathname.startsWith('/api/');
  const refusal = isPage ? refusalOfPage(request) : null;
  if (refusal) return withSecurityHeaders(problemResponse(refusal, newRequestId()), policy);

  if (!isPublicPath(pathname) && !(await hasSessionCookie(request))) {
    const target = request.nextUrl.clone();
    target.pathname = '/sign-in';
    target.search = '';
    if (pathname !== '/') target.searchParams.set('next', `${pathname}${search}`);
    return withSecurityHeaders(NextResponse.redirect(target), policy);
  }

  const headers = new Headers(request.headers);
  // Next compares it with `Host` again, which a reverse proxy may have replaced, and answers 500.
  const host = headers.get('host');
  if (isPage && host && headers.has('origin'))
    headers.set('origin', `${request.nextUrl.protocol}//${host}`);
  headers.set(REQUEST_ID_HEADER, newRequestId());
  headers.set(PATH_HEADER, `${pathname}${search}`);
  headers.set('x-nonce', nonce);
  // Next reads the nonce for its own scripts out of the policy.
  headers.set('content-security-policy', policy);
  return withSecurityHeaders(NextResponse.next({ request: { headers } }), policy);
}

/** Routes of the API check both themselves: each has its own methods and ways to sign in. */
function refusalOfPage({ method, headers }: NextRequest): Error | null {
  if (method === 'GET' || method === 'HEAD') return null;
  if (method !== 'POST') {
    return new HttpError(405, `Pages don’t accept ${method}. Use GET, or the API under /api/v1.`);
  }
  const facts = { secFetchSite: headers.get('sec-fetch-site'), origin: headers.get('origin') };
  const forwarded = headers.get('x-forwarded-host')?.split(',')[0]?.trim() ?? null;
  const ownHosts = [new URL(env().publicUrl).host, headers.get('host'), forwarded];
  if (!isForeignOrigin(facts, ownHosts)) return null;
  return new ForbiddenError(
    'The request came from a page of another site. Repeat the action on Tierwatch’s own page. If this is one, set TIERWATCH_PUBLIC_URL to the address in your browser.',
  );
}

async function hasSessionCookie(request: NextRequest): Promise<boolean> {
  const token = request.cookies.get(sessionCookieName())?.value;
  return token !== undefined && (await readSessionCookie(token)) !== null;
}

function withSecurityHeaders<Answer extends Response>(response: Answer, policy: string): Answer {
  response.headers.set('content-security-policy', policy);
  response.headers.set(BUILD_ID_HEADER, buildId());
  response.headers.set('x-content-type-options', 'nosniff');
  response.headers.set('x-frame-options', 'DENY');
  response.headers.set('referrer-policy', 'strict-origin-when-cross-origin');
  response.headers.set('cross-origin-opener-policy', 'same-origin');
  response.headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=()');
  if (isSecure()) {
    response.headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains');
  }
  return response;
}

export const config = {
  matcher: ['/((?!api/runner/|_next/static|_next/image|icon\\.svg|favicon\\.ico|robots\\.txt).*)'],
};

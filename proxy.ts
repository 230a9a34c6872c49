import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { isSecure, readSessionCookie, sessionCookieName } from '@/lib/identity/auth/session-cookie';
import { env } from '@/lib/platform/env';
import { BUILD_ID_HEADER, buildId } from '@/lib/platform/http/build-id';
import { contentSecurityPolicy } from '@/lib/platform/http/content-security-policy';
import { isPublicPath } from '@/lib/platform/http/public-path';
import { newRequestId, PATH_HEADER, REQUEST_ID_HEADER } from '@/lib/platform/http/request-headers';

/**
 * Runs before every page and route: gives the request an id, the answer its security headers, and
 * leads people who are not signed in to the sign-in page. Whether a sign-in still counts is
 * decided where the page is made, by its row.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname, search } = request.nextUrl;
  const nonce = randomBytes(16).toString('base64');
  const policy = contentSecurityPolicy({
    nonce,
    isDevelopment: env().nodeEnv === 'development',
    isSecure: isSecure(),
  });

  if (!isPublicPath(pathname) && !(await hasSessionCookie(request))) {
    const target = request.nextUrl.clone();
    target.pathname = '/sign-in';
    target.search = '';
    if (pathname !== '/') target.searchParams.set('next', `${pathname}${search}`);
    return withSecurityHeaders(NextResponse.redirect(target), policy);
  }

  const headers = new Headers(request.headers);
  headers.set(REQUEST_ID_HEADER, newRequestId());
  headers.set(PATH_HEADER, `${pathname}${search}`);
  headers.set('x-nonce', nonce);
  // Next reads the nonce for its own scripts out of the policy.
  headers.set('content-security-policy', policy);
  return withSecurityHeaders(NextResponse.next({ request: { headers } }), policy);
}

async function hasSessionCookie(request: NextRequest): Promise<boolean> {
  const token = request.cookies.get(sessionCookieName())?.value;
  return token !== undefined && (await readSessionCookie(token)) !== null;
}

function withSecurityHeaders(response: NextResponse, policy: string): NextResponse {
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
  matcher: ['/((?!_next/static|_next/image|icon\\.svg|favicon\\.ico|robots\\.txt).*)'],
};

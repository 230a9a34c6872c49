import { describe, expect, it } from 'vitest';
import { isOAuthRequest, isPublicPath } from './public-path';

describe('isPublicPath', () => {
  it.each([
    ['/sign-in', true],
    ['/sign-up', true],
    ['/invite/inv_abc', true],
    ['/api/v1/projects', true],
    ['/docs/webhooks', true],
    ['/docs-team', false],
    ['/healthz', true],
    ['/metrics', true],
    ['/metrics-team', false],
    ['/', false],
    ['/orgs', false],
    ['/acme', false],
    ['/sign-in-team', false],
    ['/api-team', false],
    ['/acme/sign-in', false],
    ['/acme/api', false],
  ])('%s: %s', (path, isPublic) => {
    expect(isPublicPath(path)).toBe(isPublic);
  });
});

describe('[INC-4.3] programs that look for an OAuth server', () => {
  it.each<[string, string, boolean]>([
    ['GET', '/.well-known/oauth-protected-resource', true],
    ['GET', '/.well-known/oauth-protected-resource/api/mcp', true],
    ['GET', '/.well-known/oauth-authorization-server', true],
    ['GET', '/.well-known/openid-configuration', true],
    ['GET', '/.well-known/openid-configuration-of-others', false],
    ['GET', '/.well-known/change-password', false],
    ['POST', '/register', true],
    ['GET', '/register', false],
    ['POST', '/register/projects', false],
    ['POST', '/acme', false],
  ])('%s %s', (method, path, expected) => {
    expect(isOAuthRequest(method, path, new Headers())).toBe(expected);
  });

  it('a server action of an organization with that name isn’t one', () => {
    expect(isOAuthRequest('POST', '/register', new Headers({ 'next-action': 'x' }))).toBe(false);
  });
});

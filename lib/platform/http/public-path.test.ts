import { describe, expect, it } from 'vitest';
import { isPublicPath } from './public-path';

describe('isPublicPath', () => {
  it.each([
    ['/sign-in', true],
    ['/sign-up', true],
    ['/invite/inv_abc', true],
    ['/api/v1/projects', true],
    ['/docs/webhooks', true],
    ['/docs-team', false],
    ['/healthz', true],
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

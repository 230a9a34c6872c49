import { describe, expect, it } from 'vitest';
import { nextAfterSignUp, safeNext } from './safe-next';

describe('safeNext', () => {
  it.each(['/acme', '/acme/projects/checkout?tab=tiers#tier-2', '/orgs', '/api-team'])(
    'keeps %s',
    (path) => {
      expect(safeNext(path)).toBe(path);
    },
  );

  it.each([
    undefined,
    null,
    '',
    'acme',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    'javascript:alert(1)',
    '/sign-in',
    '/sign-in?next=/acme',
    '/sign-up',
    '/api/auth/signout',
    `/${'x'.repeat(3_000)}`,
  ])('leads %j home', (path) => {
    expect(safeNext(path)).toBe('/');
  });
});

describe('nextAfterSignUp', () => {
  it.each([
    ['', '/acme'],
    ['/other/projects', '/acme'],
    ['/invite/inv_1', '/invite/inv_1'],
    ['//evil.example/invite/', '/acme'],
  ])('for %j is %s', (next, path) => {
    expect(nextAfterSignUp(next, 'acme')).toBe(path);
  });
});

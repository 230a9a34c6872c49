import { describe, expect, it } from 'vitest';
import { decideRedirect } from './probe';

const CHECK = { target: 'https://shop.test/health' };
const FROM = new URL('https://shop.test/health');

function decided(location: string | undefined, more: object = {}, followed = 0, statusCode = 302) {
  const redirect = decideRedirect({ ...CHECK, ...more }, FROM, { statusCode, location }, followed);
  return redirect.kind === 'follow'
    ? redirect.url.href
    : ('problem' in redirect && redirect.problem) || redirect.kind;
}

describe('[INC-1.1] a redirect', () => {
  it.each([
    ['/ready', 'https://shop.test/ready'],
    ['https://SHOP.test./ready', 'https://shop.test./ready'],
    ['https://www.shop.test/', 'https://www.shop.test/'],
    ['https://shop.test:8443/', 'https://shop.test:8443/'],
  ])('to %s is followed', (location, url) => {
    expect(decided(location)).toBe(url);
  });

  it.each([
    [
      'https://login.test/?next=secret',
      'Redirected to https://login.test/, which is another host. If that is right, allow the host in the check.',
    ],
    [
      '//evil.test/',
      'Redirected to https://evil.test/, which is another host. If that is right, allow the host in the check.',
    ],
    [
      'https://shop.test.evil.test/',
      'Redirected to https://shop.test.evil.test/, which is another host. If that is right, allow the host in the check.',
    ],
    ['http://shop.test/', 'Redirected from https to http://shop.test/.'],
    ['ftp://shop.test/', 'Answered 302 with an address that can’t be read.'],
    ['https://', 'Answered 302 with an address that can’t be read.'],
  ])('to %s is not followed', (location, problem) => {
    expect(decided(location)).toBe(problem);
  });

  it('is followed to hosts that the check names', () => {
    expect(decided('https://login.test/', { redirectHosts: ['login.test'] })).toBe(
      'https://login.test/',
    );
    expect(decided('https://other.test/', { redirectHosts: ['login.test'] })).toContain(
      'another host',
    );
  });

  it('is none with another status, without a location and where the check expects a redirect', () => {
    expect(decided('/x', {}, 0, 200)).toBe('none');
    expect(decided('/x', {}, 0, 304)).toBe('none');
    expect(decided(undefined)).toBe('none');
    expect(decided('https://login.test/', { expectStatus: 302 })).toBe('none');
  });

  it('is followed three times', () => {
    expect(decided('/x', {}, 2)).toBe('https://shop.test/x');
    expect(decided('/x', {}, 3)).toBe('Too many redirects: more than 3.');
  });

  it('takes the credentials of the URL along to the same origin alone', () => {
    const from = new URL('https://me:pw@shop.test/');
    const to = (location: string) => {
      const redirect = decideRedirect(CHECK, from, { statusCode: 302, location }, 0);
      return redirect.kind === 'follow' ? redirect.url.href : '';
    };
    expect(to('/x')).toBe('https://me:pw@shop.test/x');
    expect(to('https://www.shop.test/x')).toBe('https://www.shop.test/x');
  });
});

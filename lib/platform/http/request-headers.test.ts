import { describe, expect, it } from 'vitest';
import { isSameOrigin } from './request-headers';

const own = ['https://watch.example'];

describe('isSameOrigin', () => {
  it.each([
    { method: 'GET', secFetchSite: 'same-origin', origin: null, isOwn: true },
    { method: 'GET', secFetchSite: 'none', origin: null, isOwn: true },
    { method: 'GET', secFetchSite: 'same-site', origin: null, isOwn: false },
    { method: 'GET', secFetchSite: 'cross-site', origin: null, isOwn: false },
    { method: 'GET', secFetchSite: 'cross-site', origin: 'https://watch.example', isOwn: false },
    { method: 'GET', secFetchSite: null, origin: null, isOwn: true },
    { method: 'POST', secFetchSite: null, origin: null, isOwn: false },
    { method: 'POST', secFetchSite: null, origin: 'https://watch.example', isOwn: true },
    { method: 'POST', secFetchSite: null, origin: 'https://evil.example', isOwn: false },
    { method: 'POST', secFetchSite: 'same-origin', origin: 'https://watch.example', isOwn: true },
  ])('$method from $secFetchSite, origin $origin: $isOwn', ({ isOwn, ...facts }) => {
    expect(isSameOrigin(facts, own)).toBe(isOwn);
  });
});

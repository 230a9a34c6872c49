import { describe, expect, it } from 'vitest';
import { isForeignOrigin, isSameOrigin } from './request-headers';

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

describe('isForeignOrigin', () => {
  it.each([
    { origin: 'https://watch.example', secFetchSite: 'same-origin', isForeign: false },
    { origin: 'http://10.0.0.5:3000', secFetchSite: null, isForeign: false },
    { origin: null, secFetchSite: 'none', isForeign: false },
    { origin: null, secFetchSite: null, isForeign: false },
    { origin: null, secFetchSite: 'cross-site', isForeign: true },
    { origin: 'https://evil.example', secFetchSite: 'same-origin', isForeign: true },
    { origin: 'https://watch.example.evil.example', secFetchSite: null, isForeign: true },
    { origin: 'https://watch.example:8443', secFetchSite: null, isForeign: true },
    ...['null', '[', '', 'file://', 'http://'].map((origin) => ({
      origin,
      secFetchSite: null,
      isForeign: true,
    })),
  ])('[SEC-3.3] origin $origin, $secFetchSite: $isForeign', ({ isForeign, ...facts }) => {
    expect(isForeignOrigin(facts, ['watch.example', '10.0.0.5:3000', null])).toBe(isForeign);
  });
});

import { expect, it } from 'vitest';
import { currentUrlOf, pingUrlOf } from '@/scripts/bootstrap/web-door.mjs';

const URL_OF_PING = '/api/heartbeats/hbt_a';

it.each([
  [URL_OF_PING, URL_OF_PING],
  [`${URL_OF_PING}/`, URL_OF_PING],
  ['//api//heartbeats/hbt_a//', URL_OF_PING],
  [`${URL_OF_PING}/?rid=a//b%20`, `${URL_OF_PING}?rid=a//b%20`],
  [`${URL_OF_PING}%0D`, URL_OF_PING],
  [`${URL_OF_PING}%0d%0a`, URL_OF_PING],
  [`${URL_OF_PING}%20/start%09/`, `${URL_OF_PING}/start`],
  [`${URL_OF_PING}/%20`, URL_OF_PING],
  ['/api/v1/projects/', '/api/v1/projects/'],
  ['/docs//checks%20', '/docs//checks%20'],
  ['/', '/'],
  ['*', '*'],
])('[SIG-2.4] %s is taken for %s', (url, taken) => {
  expect(pingUrlOf(url)).toBe(taken);
});

it.each([
  ['/api/alerts/als_a', '/api/signals/als_a'],
  ['/api/v1/alerts?status=firing', '/api/v1/signals?status=firing'],
  ['/api/v1/alert-sources', '/api/v1/signal-sources'],
  ['/api/v1/alert-sources/als_a/rotate', '/api/v1/signal-sources/als_a/rotate'],
  [
    '/api/v1/alert-sources/als_a/deliveries?limit=5',
    '/api/v1/signal-sources/als_a/requests?limit=5',
  ],
  ['/api/v1/escalation-policies/esp_a', '/api/v1/paging-policies/esp_a'],
  ['/api/v1/alertsources', '/api/v1/alertsources'],
  ['/acme/projects/shop/settings/alerts', '/acme/projects/shop/settings/alerts'],
])('the former address %s is served as %s', (url, current) => {
  expect(currentUrlOf(url)).toBe(current);
});

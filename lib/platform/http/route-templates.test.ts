import { expect, it } from 'vitest';
import { routeTemplates } from './route-templates';

const templateOf = routeTemplates({
  staticRoutes: [
    { page: '/', regex: '^/(?:/)?$' },
    { page: '/api/v1/chains', regex: '^/api/v1/chains(?:/)?$' },
  ],
  dynamicRoutes: [
    { page: '/api/v1/chains/[chainId]', regex: '^/api/v1/chains/([^/]+?)(?:/)?$' },
    { page: '/[orgSlug]/projects/[projectSlug]', regex: '^/([^/]+?)/projects/([^/]+?)(?:/)?$' },
  ],
});

it.each([
  ['/', '/'],
  ['/api/v1/chains', '/api/v1/chains'],
  ['/api/v1/chains/', '/api/v1/chains'],
  ['/api/v1/chains?limit=5', '/api/v1/chains'],
  ['/api/v1/chains/chn_5?x=/api/v1/chains', '/api/v1/chains/[chainId]'],
  ['/acme/projects/shop', '/[orgSlug]/projects/[projectSlug]'],
  ['/_next/static/chunks/a.js', '/_next'],
  ['/wp-login.php', 'other'],
  [`/api/v1/chains/${'x'.repeat(5_000)}`, 'other'],
  ['', 'other'],
])('[INC-4.2] %s belongs to the route %s', (url, route) => {
  expect(templateOf(url)).toBe(route);
});

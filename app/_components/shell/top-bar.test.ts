import { expect, it } from 'vitest';
import { appRoutes } from '@/tests/e2e/routes/app-routes';
import { breadcrumb } from './top-bar';

const names = new Map([
  ['acme', 'Acme'],
  ['projects/checkout', 'Checkout'],
  ['ids/rnr_7Kq2aaaaaaaaaaaaaam4Xa', 'eu-1'],
  ['ids/cnv_7Kq2aaaaaaaaaaaaaam4Xa', 'Is web well?'],
]);

it.each([
  ['/acme', 'Acme'],
  ['/acme/projects/checkout/chains/12', 'Acme / Checkout / Chains / Chain #12'],
  [
    '/acme/projects/checkout/sessions/19/ledger',
    'Acme / Checkout / Sessions / Session #19 / Ledger',
  ],
  ['/acme/projects/new', 'Acme / New project'],
  ['/acme/runners/rnr_7Kq2aaaaaaaaaaaaaam4Xa', 'Acme / Runners / eu-1'],
  ['/acme/runners/rnr_0000aaaaaaaaaaaaaam4Xa', 'Acme / Runners / Runner'],
  ['/acme/approvals/apr_7Kq2aaaaaaaaaaaaaam4Xa', 'Acme / Approvals / Approval'],
  ['/acme/webhooks/whk_7Kq2aaaaaaaaaaaaaam4Xa', 'Acme / Webhooks / Endpoint'],
  ['/acme/projects/checkout/services/web%20shop', 'Acme / Checkout / Services / web shop'],
  ['/acme/projects/checkout/services/settings', 'Acme / Checkout / Services / settings'],
  ['/acme/projects/checkout/settings/tiers', 'Acme / Checkout / Project settings / Tiers'],
  ['/acme/settings/members', 'Acme / Organization settings / Members'],
  ['/acme/projects/checkout/services/%E0%A4%A', 'Acme / Checkout / Services / %E0%A4%A'],
  ['/acme/projects/billing', 'Acme / billing'],
  [
    '/acme/projects/checkout/ask/cnv_7Kq2aaaaaaaaaaaaaam4Xa',
    'Acme / Checkout / Ask / Is web well?',
  ],
])('[PAG-1.3] %s reads %s', (pathname, text) => {
  expect(
    breadcrumb(pathname, names)
      .map((crumb) => crumb.label)
      .join(' / '),
  ).toBe(text);
});

it('links each part to its own page', () => {
  expect(breadcrumb('/acme/projects/checkout/chains', names).map((crumb) => crumb.href)).toEqual([
    '/acme',
    '/acme/projects/checkout',
    '/acme/projects/checkout/chains',
  ]);
});

/** Addresses of every page below an organization, with something in place of each parameter. */
const addresses = appRoutes()
  .filter((route) => route.startsWith('/[orgSlug]'))
  .map((route) =>
    route.replaceAll(/\[(\w+)\]/g, (_match, name) => (name === 'number' ? '7' : 'a')),
  );

it.each(addresses)('[PAG-1.3] every part of %s that links leads to a page', (address) => {
  const linked = breadcrumb(address, names).slice(0, -1);
  for (const { href } of linked) expect(addresses).toContain(href);
});

import { expect, it } from 'vitest';
import { breadcrumb } from './breadcrumb';

const names = new Map([
  ['acme', 'Acme'],
  ['projects/checkout', 'Checkout'],
  ['ids/cnv_7Kq2aaaaaaaaaaaaaam4Xa', 'Is web well?'],
]);

it.each([
  ['/acme', 'Acme'],
  ['/acme/projects/checkout/chains/12', 'Acme / Checkout / Chains / #12'],
  ['/acme/projects/checkout/sessions/19/ledger', 'Acme / Checkout / Sessions / #19 / Ledger'],
  ['/acme/projects/new', 'Acme / New project'],
  ['/acme/runners/rnr_7Kq2aaaaaaaaaaaaaam4Xa', 'Acme / Runners / rnr_7Kq2…m4Xa'],
  ['/acme/projects/billing', 'Acme / billing'],
  [
    '/acme/projects/checkout/ask/cnv_7Kq2aaaaaaaaaaaaaam4Xa',
    'Acme / Checkout / Ask / Is web well?',
  ],
])('%s reads %s', (pathname, text) => {
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

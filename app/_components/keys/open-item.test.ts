import { expect, it } from 'vitest';
import { openItemOf } from './open-item';

const root = '/acme/projects/checkout';

it.each([
  [`${root}/chains/12`, { kind: 'chains', number: 12, root, tab: '' }],
  [`${root}/sessions/18`, { kind: 'sessions', number: 18, root, tab: '' }],
  [`${root}/sessions/18/report`, { kind: 'sessions', number: 18, root, tab: '/report' }],
  [`${root}/chains`, null],
  [`${root}/settings/tiers`, null],
  ['/acme/chains', null],
])('[PAG-1.4] %s has siblings: %j', (pathname, item) => {
  expect(openItemOf(pathname)).toEqual(item);
});

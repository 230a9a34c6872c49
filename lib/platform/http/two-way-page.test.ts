import { expect, it } from 'vitest';
import { twoWayPage } from './cursor';

it.each([
  ['a first page', [5, 4, 3], {}, { rows: [5, 4], hasNewer: false, hasOlder: true }],
  ['the only page', [5, 4], {}, { rows: [5, 4], hasNewer: false, hasOlder: false }],
  ['older ones', [3, 2, 1], { before: 'x' }, { rows: [3, 2], hasNewer: true, hasOlder: true }],
  ['the last ones', [1], { before: 'x' }, { rows: [1], hasNewer: true, hasOlder: false }],
  ['newer ones', [5, 4, 3], { after: 'x' }, { rows: [4, 3], hasNewer: true, hasOlder: true }],
  ['the newest ones', [5, 4], { after: 'x' }, { rows: [5, 4], hasNewer: false, hasOlder: true }],
])('cuts %s', (_what, found, asked, page) => {
  expect(twoWayPage(found, { ...asked, limit: 2 })).toEqual(page);
});

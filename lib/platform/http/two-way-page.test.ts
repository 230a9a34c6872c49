import { expect, it } from 'vitest';
import { pageArgs, twoWayPage } from './cursor';

it.each([
  ['a first page', [5, 4, 3], {}, { rows: [5, 4], newerThan: null, olderThan: 4 }],
  ['the only page', [5, 4], {}, { rows: [5, 4], newerThan: null, olderThan: null }],
  ['no page', [], {}, { rows: [], newerThan: null, olderThan: null }],
  ['older ones', [3, 2, 1], { before: 4 }, { rows: [3, 2], newerThan: 3, olderThan: 2 }],
  ['the last ones', [1], { before: 2 }, { rows: [1], newerThan: 1, olderThan: null }],
  ['newer ones', [5, 4, 3], { after: 2 }, { rows: [4, 3], newerThan: 4, olderThan: 3 }],
  ['the newest ones', [5, 4], { after: 3 }, { rows: [5, 4], newerThan: null, olderThan: 4 }],
])('cuts %s', (_what, found, asked, page) => {
  expect(twoWayPage<number, number>(found, { ...asked, limit: 2 }, (row) => row)).toEqual(page);
});

it.each([
  ['the first page', { beforeId: null }, {}, 'desc'],
  ['older ones', { beforeId: 'b' }, { lt: 'b' }, 'desc'],
  ['newer ones', { beforeId: null, afterId: 'a' }, { gt: 'a' }, 'asc'],
])('reads %s', (_what, place, id, order) => {
  expect(pageArgs({ ...place, limit: 2 })).toEqual({ id, orderBy: { id: order }, take: 3 });
});

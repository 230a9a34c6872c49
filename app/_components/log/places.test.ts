import { expect, it } from 'vitest';
import { readLogView, writeLogView } from './places';

it.each([
  [{}, { event: null, query: '', filter: 'all' }, ''],
  [
    { event: '1204', q: 'disk full', show: 'denied' },
    { event: 1204, query: 'disk full', filter: 'denied' },
    '?event=1204&q=disk+full&show=denied',
  ],
  [{ event: 'evt', show: 'everything' }, { event: null, query: '', filter: 'all' }, ''],
  [{ event: ['1', '2'], q: ['a'] }, { event: null, query: '', filter: 'all' }, ''],
])('reads and writes %j', (params, view, text) => {
  expect(readLogView(params)).toEqual(view);
  expect(writeLogView(readLogView(params))).toBe(text);
});

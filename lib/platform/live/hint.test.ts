import { expect, it } from 'vitest';
import { parseHint } from './hint';

it.each([
  ['{"t":"s","id":"a","seq":7}', { topics: ['s:a'], seq: 7 }],
  ['{"t":"p","id":"a","o":"b"}', { topics: ['p:a', 'o:b'], seq: null }],
  ['{"t":"r","id":"a"}', { topics: ['r:a'], seq: null }],
  ['{"t":"a","id":"a"}', { topics: ['a:a'], seq: null }],
  ['{"t":"x","id":"a"}', null],
  ['{"t":"s","id":5}', null],
  ['[]', null],
  ['null', null],
  ['not json', null],
])('reads the hint %s', (payload, hint) => {
  expect(parseHint(payload)).toEqual(hint);
});

import { expect, it } from 'vitest';
import { changedFields } from './difference';

it.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, [{ path: 'a', before: 1, after: 2 }]],
  [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, [{ path: 'a.b.1', before: 2, after: 3 }]],
  [{ a: [1] }, { a: [] }, [{ path: 'a.0', before: 1, after: undefined }]],
  [{ a: null }, { a: { b: 1 } }, [{ path: 'a', before: null, after: { b: 1 } }]],
])('finds what differs between %j and %j', (before, after, changes) => {
  expect(changedFields(before, after)).toEqual(changes);
});

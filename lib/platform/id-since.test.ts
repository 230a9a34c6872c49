import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import { idSince } from './ids';

const since = new Date('2026-11-21T10:00:00Z');
const idAt = (seconds: number) => uuidv7({ msecs: since.getTime() + seconds * 1_000 });

it('is below ids from that time on and above those of long before', () => {
  const bound = idSince(since);
  expect([idAt(0), idAt(1), idAt(86_400)].every((id) => id > bound)).toBe(true);
  expect([idAt(-61), idAt(-86_400)].every((id) => id < bound)).toBe(true);
});

it('is the first of all ids before 1970', () => {
  expect(idSince(new Date(-1)) < uuidv7({ msecs: 0 })).toBe(true);
});

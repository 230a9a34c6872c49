import { expect, it } from 'vitest';
import { forEachRowIsolated } from './batches';

it('a row that fails keeps none behind it waiting, and is not counted', async () => {
  const rows = ['a', 'b', 'c'].map((id) => ({ id, organizationId: 'o' }));
  const seen: string[] = [];
  const done = await forEachRowIsolated('test', rows, async ({ id }) => {
    if (id === 'a') throw new Error('It cannot be read.');
    seen.push(id);
  });
  expect(seen).toEqual(['b', 'c']);
  expect(done).toBe(2);
});

import { expect, it } from 'vitest';
import { encodeId } from '@/lib/platform/ids';
import { idParam } from './id-param';

const chain = encodeId('chn', '0193b1a0-0000-7000-8000-000000000001');

it.each([
  [{ before: chain }, chain],
  [{ before: chain.replace('chn', 'ses') }, undefined],
  [{ before: 'chn_x' }, undefined],
  [{ before: [chain, chain] }, undefined],
  [{}, undefined],
])('the cursor of %j', (params, id) => {
  expect(idParam(params, 'before', 'chn')).toBe(id);
});

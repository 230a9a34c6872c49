import { describe, expect, it } from 'vitest';
import { encodeId } from '@/lib/platform/ids';
import {
  choiceParam,
  hrefWith,
  idParam,
  rangeParam,
  sinceOf,
  spanParam,
  textParam,
  tierParam,
} from './list-params';

describe('the address of a list', () => {
  it.each([
    [{ tier: '2' }, 2],
    [{ tier: '4' }, undefined],
    [{ tier: ['1', '2'] }, undefined],
    [{}, undefined],
  ])('tier of %j', (params, tier) => {
    expect(tierParam(params)).toBe(tier);
  });

  it('takes what it knows and leaves the rest', () => {
    expect(choiceParam({ outcome: 'fixed' }, 'outcome', ['fixed', 'lost'])).toBe('fixed');
    expect(choiceParam({ outcome: 'x' }, 'outcome', ['fixed'])).toBeUndefined();
    expect(textParam({ service: '' }, 'service')).toBeUndefined();
    expect(rangeParam({ range: '24h' }, '7d')).toBe('24h');
    expect(rangeParam({ range: 'ever' }, '7d')).toBe('7d');
  });

  it('a range reaches back from now', () => {
    const now = new Date('2026-11-21T14:00:00Z');
    expect(sinceOf('24h', now)?.toISOString()).toBe('2026-11-20T14:00:00.000Z');
    expect(sinceOf('all', now)).toBeUndefined();
  });

  it('takes two moments, in their order', () => {
    const [from, to] = ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'];
    expect(spanParam({ from, to })).toEqual({ from: new Date(from), to: new Date(to) });
    expect(spanParam({ from: to, to: from })).toBeNull();
    expect(spanParam({ from })).toBeNull();
    expect(spanParam({ from: 'then', to: 'now' })).toBeNull();
  });

  it('keeps filters over pages, and starts over with another filter', () => {
    const params = { tier: '2', before: 'chn_1', service: 'web' };
    expect(hrefWith('/c', params, { before: 'chn_9' })).toBe('/c?tier=2&service=web&before=chn_9');
    expect(hrefWith('/c', params, { tier: null })).toBe('/c?service=web');
    expect(hrefWith('/c', { tier: '2' }, { tier: null })).toBe('/c');
  });
});

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

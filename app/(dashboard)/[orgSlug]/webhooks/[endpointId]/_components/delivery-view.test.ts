import { describe, expect, it } from 'vitest';
import { deliveryHref, parseDeliveryQuery } from './delivery-view';

const base = '/acme/webhooks/whk_1';
const everything = { state: 'all', delivery: undefined, cursor: undefined } as const;

describe('the address of the deliveries', () => {
  it.each([
    [{}, everything],
    [
      { state: 'failed', delivery: 'dlv_1' },
      { ...everything, state: 'failed', delivery: 'dlv_1' },
    ],
    [{ state: 'broken', delivery: ['a', 'b'] }, everything],
  ])('%j is read', (params, query) => {
    expect(parseDeliveryQuery(params)).toEqual(query);
  });

  it.each([
    [{}, base],
    [{ delivery: 'dlv_1' }, `${base}?delivery=dlv_1`],
    [{ state: 'failed', cursor: 'c' } as const, `${base}?state=failed&cursor=c`],
  ])('%j is written', (change, href) => {
    expect(deliveryHref(base, everything, change)).toBe(href);
  });

  it('keeps the view when a delivery is opened', () => {
    const query = { ...everything, state: 'failed' as const, cursor: 'c' };
    expect(deliveryHref(base, query, { delivery: 'dlv_1' })).toBe(
      `${base}?state=failed&cursor=c&delivery=dlv_1`,
    );
  });
});

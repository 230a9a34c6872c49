import { describe, expect, it } from 'vitest';
import type { DeliveryDto } from '@/lib/deliveries/outbox/schema';
import {
  attemptResult,
  deliveryDetail,
  deliveryHref,
  deliverySentence,
  isUnderWay,
  parseDeliveryQuery,
} from './delivery-words';

const host = 'hooks.acme.example';
const now = new Date('2026-11-21T15:00:00Z');
const answered = {
  number: 1,
  at: '2026-11-21T14:59:58Z',
  status: 500,
  durationMs: 812,
  error: null,
  responseExcerpt: 'upstream is down',
  requestHeaders: null,
  responseHeaders: null,
};
const refused = {
  ...answered,
  status: null,
  error: 'private_address',
  responseExcerpt: '10.0.4.7 is a private address. Deliveries there are refused and not retried.',
};
const delivery: DeliveryDto = {
  id: 'dlv_1',
  endpointId: 'whk_1',
  chainId: null,
  eventType: 'chain.completed',
  status: 'scheduled',
  attempts: 0,
  nextAttemptAt: '2026-11-21T14:59:59Z',
  deliveredAt: null,
  createdAt: '2026-11-21T14:59:58Z',
  body: '{}',
  log: [],
};

describe('an attempt came to', () => {
  it.each([
    ['500', answered],
    ['private address', refused],
    ['connection refused', { status: null, error: 'connection_refused' }],
    ['something new', { status: null, error: 'something_new' }],
    ['no response', { status: null, error: null }],
  ])('%s', (words, attempt) => {
    expect(attemptResult(attempt)).toBe(words);
  });
});

describe('a delivery says what happened and why', () => {
  it.each<[string, Partial<DeliveryDto>]>([
    ['It is waiting for the worker, which picks it up within seconds.', {}],
    [
      'It is due but no worker has picked it up. Check that the worker process is running.',
      { nextAttemptAt: '2026-11-21T14:59:00Z' },
    ],
    ['It is on its way to hooks.acme.example, which has 15 s to respond.', { status: 'sending' }],
    [
      'hooks.acme.example responded 204 in 96ms.',
      { status: 'delivered', log: [{ ...answered, status: 204, durationMs: 96 }] },
    ],
    [
      'hooks.acme.example responded 500. It will be retried.',
      { status: 'retrying', attempts: 1, log: [answered] },
    ],
    [
      'hooks.acme.example responded 500. It is due but no worker has picked it up. Check that the worker process is running.',
      {
        status: 'retrying',
        attempts: 1,
        nextAttemptAt: '2026-11-21T14:59:00Z',
        log: [answered],
      },
    ],
    [
      'hooks.acme.example responded 500. Fix the receiver, then replay the delivery.',
      { status: 'exhausted', attempts: 8, log: [answered] },
    ],
    [
      '10.0.4.7 is a private address. Deliveries there are refused and not retried.',
      { status: 'refused', attempts: 1, log: [refused] },
    ],
    [
      'The endpoint was disabled before it arrived. Enable it, then replay.',
      { status: 'cancelled' },
    ],
  ])('%s', (sentence, facts) => {
    expect(deliverySentence({ ...delivery, ...facts }, host, now)).toBe(sentence);
  });

  it.each<[boolean, Partial<DeliveryDto>]>([
    [true, {}],
    [false, { nextAttemptAt: '2026-11-21T14:59:00Z' }],
    [true, { status: 'sending' }],
    [false, { status: 'retrying' }],
    [false, { status: 'delivered' }],
  ])('under way: %s for %j', (expected, facts) => {
    expect(isUnderWay({ ...delivery, ...facts }, now)).toBe(expected);
  });

  it.each<[string | null, Partial<DeliveryDto>]>([
    ['2 of 8', { status: 'retrying', attempts: 2 }],
    ['after 8 attempts', { status: 'exhausted', attempts: 8 }],
    ['after 1 attempt', { status: 'exhausted', attempts: 1 }],
    [null, { status: 'delivered', attempts: 1 }],
  ])('its badge adds %s', (detail, facts) => {
    expect(deliveryDetail({ ...delivery, ...facts })).toBe(detail);
  });
});

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

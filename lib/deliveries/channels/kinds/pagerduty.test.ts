import { describe, expect, it } from 'vitest';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import { describeKind } from '@/tests/support/describe-kind';
import { CHECKOUT_DOWN, signalFixture } from '@/tests/support/signals/alerts';
import { pagerdutyEvent, pagerdutyResult } from './pagerduty';

const fixture = signalFixture('pagerduty_events_v2_out_built');
const routingKey: string = fixture.trigger.routing_key;
const at: string = fixture.trigger.payload.timestamp;

const KEY = '0123456789abcdef0123456789abcdef';

describeKind('pagerduty', {
  accepted: [
    [{ routingKey: KEY }, { routingKey: KEY, baseUrl: null }],
    [
      { routingKey: KEY, baseUrl: 'https://events.eu.pagerduty.com/' },
      { routingKey: KEY, baseUrl: 'https://events.eu.pagerduty.com' },
    ],
  ],
  refused: [
    [{ routingKey: 'short' }, 'routingKey', '32 letters and digits'],
    [{ routingKey: KEY, baseUrl: 'http://169.254.169.254' }, 'baseUrl', 'metadata address'],
  ],
  shown: [[{ routingKey: KEY, baseUrl: null }, 'key ••••ef at events.pagerduty.com']],
  entered: [[{ routingKey: KEY }, { routingKey: KEY, baseUrl: null }]],
  alertsOnly: [{ routingKey: KEY }],
});

const eventOf = (changes: Partial<typeof CHECKOUT_DOWN>) =>
  pagerdutyEvent({ ...CHECKOUT_DOWN, ...changes }, { routingKey, at });

describe('[INC-2.2] an event for PagerDuty', () => {
  it('opens the incident of the fixture', () => {
    const { custom_details, class: _check, ...payload } = fixture.trigger.payload;
    expect(custom_details.first_failure).toBe('2026-11-23T08:58:42Z');
    const { summary } = payload;
    const project = { name: 'Payments', slug: 'payments' };
    expect(eventOf({ title: summary, project })).toEqual({
      ...fixture.trigger,
      payload: {
        ...payload,
        custom_details: {
          description: 'http check failed 3 of 3 (503)',
          first_failure: '2026-11-23T08:58:42.000Z',
          project: 'Payments',
          services: ['checkout'],
          needs_human: false,
          sequence: 1,
        },
      },
    });
  });

  it.each(['acknowledge', 'resolve'] as const)('to %s is the one of the fixture', (action) => {
    const status = action === 'resolve' ? 'resolved' : 'acknowledged';
    expect(eventOf({ status, sequence: 2 })).toEqual(fixture[action]);
  });

  it('keeps to the limits of the Events API', () => {
    const event = eventOf({
      title: '😀'.repeat(2_000),
      services: ['s'.repeat(400)],
      description: 'é'.repeat(400_000),
    });
    expect(event.payload?.summary.length).toBeLessThanOrEqual(1_024);
    expect(event.payload?.summary.isWellFormed()).toBe(true);
    expect(event.payload?.component?.length).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(512_000);
    expect(event.payload?.custom_details).toHaveProperty('note');
    const fits = eventOf({ description: 'x'.repeat(500_000) });
    expect(fits.payload?.custom_details).toHaveProperty('description');
  });

  it('has one line as its summary, and links to web pages only', () => {
    const event = eventOf({ title: 'a\nb\u202e\u0007 c', url: 'javascript:alert(1)' });
    expect(event.payload?.summary).toBe('a b c');
    expect(event).not.toHaveProperty('links');
    expect(event).not.toHaveProperty('client_url');
  });

  it('has no routing key where the receiver needs none', () => {
    expect(pagerdutyEvent(CHECKOUT_DOWN, { routingKey: null, at })).not.toHaveProperty(
      'routing_key',
    );
  });
});

describe('[INC-2.2] an answer of PagerDuty', () => {
  const { responses } = fixture;
  it.each([
    [responses.accepted.status, { isTaken: true }],
    [responses.invalid.status, { isTaken: false, isPermanent: true, isGone: false }],
    [responses.rate_limited.status, { isTaken: false, isPermanent: false, retryAfter: '7' }],
    [500, { isTaken: false, isPermanent: false }],
    [503, { isTaken: false, isPermanent: false }],
  ])('%i', (status, expected) => {
    const result: OutboundResult = {
      ok: true,
      status,
      headers: { 'retry-after': '7' },
      bodyText: '{"status":"invalid event"}',
      isBodyTruncated: false,
      durationMs: 1,
      address: '',
    };
    expect(pagerdutyResult(result)).toMatchObject(expected);
  });
});

import { describe, expect, it } from 'vitest';
import type { OutboundResult } from '@/lib/platform/outbound-http/result';
import { describeKind } from '@/tests/support/describe-kind';
import { CHECKOUT_DOWN } from '@/tests/support/signals/alerts';
import type { AlertSubject } from '../../alert';
import { opsgenieRequest, opsgenieResult } from './opsgenie';

const apiKey = '7a1b2c3d-4e5f-6789';

describeKind('opsgenie', {
  accepted: [
    [
      { apiKey, baseUrl: ' ' },
      { product: 'jsm', apiKey, baseUrl: null },
    ],
  ],
  refused: [[{ apiKey: 'a b' }, 'apiKey', '16 to 100']],
  shown: [
    [
      { product: 'jsm', apiKey, baseUrl: null },
      'Jira Service Management, key ••••89 at api.atlassian.com',
    ],
    [
      { product: 'opsgenie', apiKey, baseUrl: 'https://api.eu.opsgenie.com' },
      'Opsgenie, key ••••89 at api.eu.opsgenie.com',
    ],
  ],
  entered: [
    [{ apiKey }, { product: 'jsm', apiKey, baseUrl: null }],
    [
      { product: 'opsgenie', apiKey, baseUrl: 'https://api.eu.opsgenie.com' },
      { product: 'opsgenie', apiKey, baseUrl: 'https://api.eu.opsgenie.com' },
    ],
  ],
  alertsOnly: [{ apiKey }],
});

const alias = 'tierwatch/inc_01JCHECKOUT';
const path = (verb: string) =>
  `/v2/alerts/tierwatch%2Finc_01JCHECKOUT/${verb}?identifierType=alias`;

describe('[INC-2.2] a request to Opsgenie or Jira Service Management', () => {
  it('opens an alert with the dedup key as its alias', () => {
    const project = { name: 'Payments', slug: 'payments' };
    expect(opsgenieRequest({ ...CHECKOUT_DOWN, project, needsHuman: true })).toEqual({
      path: '/v2/alerts',
      body: {
        message: 'checkout is down',
        alias,
        description: `http check failed 3 of 3 (503)\n\n${CHECKOUT_DOWN.url}`,
        entity: 'checkout',
        tags: ['checkout'],
        priority: 'P1',
        source: 'Tierwatch',
        details: {
          url: CHECKOUT_DOWN.url,
          severity: 'critical',
          first_failure: '2026-11-23T08:58:42.000Z',
          needs_human: 'true',
          project: 'Payments',
        },
      },
    });
  });

  it.each([
    ['acknowledged', path('acknowledge')],
    ['resolved', path('close')],
  ] as const)('that is %s goes to the alert with that alias', (status, expected) => {
    expect(opsgenieRequest({ ...CHECKOUT_DOWN, status })).toEqual({
      path: expected,
      body: { source: 'Tierwatch' },
    });
  });

  it.each([
    ['critical', 'P1'],
    ['error', 'P2'],
    ['warning', 'P3'],
    ['info', 'P5'],
  ] as const)('%s has the priority %s', (severity, priority) => {
    expect(opsgenieRequest({ ...CHECKOUT_DOWN, severity }).body).toMatchObject({ priority });
  });

  it('keeps to the limits of the API', () => {
    const { body } = opsgenieRequest({
      ...CHECKOUT_DOWN,
      title: 't\n'.repeat(300),
      description: 'd'.repeat(20_000),
      services: Array.from({ length: 50 }, () => 's'.repeat(600)),
    });
    const { message, description, entity, tags } = body as Record<string, string | string[]>;
    expect(message?.length).toBeLessThanOrEqual(130);
    expect(message).not.toContain('\n');
    expect(description?.length).toBeLessThanOrEqual(15_000);
    expect(entity?.length).toBeLessThanOrEqual(512);
    expect(tags?.length).toBeLessThanOrEqual(20);
    for (const tag of tags ?? []) expect(tag.length).toBeLessThanOrEqual(50);
  });
});

describe('[INC-2.2] an answer of Opsgenie or Jira Service Management', () => {
  it.each<[number, AlertSubject['status'], object]>([
    [202, 'firing', { isTaken: true }],
    [200, 'resolved', { isTaken: true }],
    [404, 'resolved', { isTaken: true }],
    [404, 'acknowledged', { isTaken: true }],
    [404, 'firing', { isTaken: false, isPermanent: false }],
    [400, 'firing', { isTaken: false, isPermanent: true }],
    [401, 'firing', { isTaken: false, isPermanent: true }],
    [403, 'resolved', { isTaken: false, isPermanent: true }],
    [422, 'firing', { isTaken: false, isPermanent: true }],
    [429, 'firing', { isTaken: false, isPermanent: false, retryAfter: '3' }],
    [500, 'firing', { isTaken: false, isPermanent: false }],
  ])('%i to one that is %s', (status, alertStatus, expected) => {
    const result: OutboundResult = {
      ok: true,
      status,
      headers: { 'retry-after': '3' },
      bodyText: '{}',
      isBodyTruncated: false,
      durationMs: 1,
      address: '',
    };
    expect(opsgenieResult(result, alertStatus)).toMatchObject(expected);
  });
});
